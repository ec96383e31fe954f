# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a record with an independent trace, to the count.

usage: exact.py CONFIG PROGRAM WORK-FOLDER [COMPILER OPTIONS] [--plain-code-generator]

Of a Fortran program variables of modules are compared: Fortran's runtime, a static
library, refers to data of its own.

The program is compiled twice, with and without the pass. What it does without is
traced by valgrind's lackey: of each global of the program the addresses that its
own code loads and stores. Histograms of these, by the published algorithm, must
equal those of the record.

The plain code generator is that of -O0, which takes what the optimizer made as it
is: no load is moved to the instruction that uses it, or merged with another."""

import os
import subprocess
import sys
from bisect import bisect_right
from collections import defaultdict

import gstride


def symbols(program):
    """([(begin, end, name)] of globals, of functions)"""
    objects, functions = [], []
    for line in subprocess.check_output(["llvm-readelf", "-sW", program], text=True).splitlines():
        f = line.split()
        if len(f) == 8 and f[3] in ("OBJECT", "FUNC") and f[6].isdigit() and int(f[2], 0):
            begin = int(f[1], 16)
            (objects if f[3] == "OBJECT" else functions).append((begin, begin + int(f[2], 0), f[7]))
    return sorted(objects), sorted(functions)


def find(table, starts, address):
    n = bisect_right(starts, address) - 1
    return table[n][2] if n >= 0 and address < table[n][1] else None


def trace(program):
    """{(object, kind): [address]}"""
    objects, functions = symbols(program)
    object_starts, function_starts = [o[0] for o in objects], [f[0] for f in functions]
    reader, writer = os.pipe()
    run = subprocess.Popen(["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-fd={writer}", program],
                           stdout=subprocess.DEVNULL, pass_fds=[writer])
    os.close(writer)
    streams, own = defaultdict(list), False
    with os.fdopen(reader) as lines:
        for line in lines:
            kind = line[:3].strip()
            if kind not in ("I", "L", "S", "M"):
                continue
            address = int(line[3:].split(",")[0], 16)
            if kind == "I":
                own = find(functions, function_starts, address) is not None
                done = set()
            elif own:
                # The tracer makes a locked update of two loads and a store.
                if address in done and kind in "LM":
                    if kind == "L":
                        continue
                    kind = "S"
                done.add(address)
                name = find(objects, object_starts, address)
                if name:
                    for each in {"L": ["load"], "S": ["store"], "M": ["load", "store"]}[kind]:
                        streams[name, each].append(address)
    if run.wait():
        sys.exit(f"lackey: status {run.returncode}")
    return streams


def main():
    config, source, folder, *options = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    plain, recorded = os.path.join(folder, "plain"), os.path.join(folder, "recorded")
    record = os.path.join(folder, "record.gstride")
    is_fortran = source.endswith(".f90")
    compiler = "flang" if is_fortran else "clang"
    if "--plain-code-generator" in options:
        options.remove("--plain-code-generator")
        optimized = os.path.join(folder, "optimized.ll")
        subprocess.check_call([compiler, "-g", *options, "-S", "-emit-llvm", source, "-o", optimized])
        source, options = optimized, ["-O0"]
    common = ["-g", "-no-pie", *options, source]
    subprocess.check_call([compiler, *common, "-o", plain])
    subprocess.check_call([compiler, f"--config={config}", *common, "-o", recorded])
    subprocess.check_call([recorded], env={**os.environ, "GRAUPEL_STRIDE_OUT": record})
    expected = trace(plain)
    if is_fortran:
        expected = {key: value for key, value in expected.items() if key[0].startswith("_QM")}
    measured = gstride.Record(record)
    wrong = 0
    for variant in ("filtered", "all"):
        streams = {key: value for key, value in measured.streams(variant).items()
                   if (key[0].startswith("_QM") if is_fortran
                       else not key[0].startswith("[") and ":" not in key[0])}
        for key in sorted(set(streams) | set(expected)):
            total, lags = streams.get(key, (0, None))
            addresses = expected.get(key, [])
            right = gstride.histograms(addresses, variant)
            if total != len(addresses) or lags != right:
                wrong += 1
                print(f"{variant} {key}: {total} references, traced {len(addresses)}")
                for lag, (a, b) in enumerate(zip(lags or [{}] * 5, right), 1):
                    if a != b:
                        print(f"  lag {lag}: {dict(sorted(a.items()))}")
                        print(f"   traced: {dict(sorted(b.items()))}")
    total = sum(len(a) for a in expected.values())
    print(f"{len(expected)} streams, {total} references, {wrong} wrong")
    sys.exit(wrong != 0 or not expected)


if __name__ == "__main__":
    main()
