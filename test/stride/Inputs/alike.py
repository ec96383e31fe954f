# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what summaries tell with the same program's references one by one.

usage: alike.py CONFIG PASS PROGRAM.c WORK-FOLDER [COMPILER OPTIONS]

The optimized program gets the pass twice: as it is, and so that each reference is
told by itself (PASS is the plugin). Both write all references: they must be the same
in the same order. Histograms must be what these references give by the published
algorithm, without and with a writer of references, and so must be what
GRAUPEL_STRIDE=literal counts; loops, copies and fills must be counted alike."""

import os
import subprocess
import sys
from collections import defaultdict

import gstride


def run(program, record, options):
    subprocess.check_call([program], env={**os.environ, "GRAUPEL_STRIDE_OUT": record,
                                          "GRAUPEL_STRIDE": options})
    return gstride.Record(record)


def references(record):
    """[(site, object, address in it)] a thread. Of what is not a global, from where the
    first reference is: the next run has it elsewhere."""
    start = {}
    for each in record.references.values():
        for address, _, of in each:
            start.setdefault(of, record.objects[of]["address"] or address)
    return [[(site, record.name(of), address - start[of]) for address, site, of in each]
            for _, each in sorted(record.references.items())]


def bulk(record):
    """[(site, object, thread, calls, bytes)]"""
    return sorted((site, record.name(of), thread, calls, size)
                  for site, of, thread, _, calls, size in record.bulk)


def main():
    config, plugin, source, folder, *options = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    at = lambda name: os.path.join(folder, name)
    subprocess.check_call(["clang", "-g", *options, "-S", "-emit-llvm", source, "-o", at("plain.ll")])
    for name in ("graupel-stride", "graupel-stride<single>"):
        short = "single" if "single" in name else "summed"
        subprocess.check_call(["opt", f"-load-pass-plugin={plugin}", f"-passes={name}",
                               at("plain.ll"), "-o", at(short + ".bc")])
        # The pass leaves alone what has it already.
        subprocess.check_call(["clang", f"--config={config}", "-O1", "-no-pie", at(short + ".bc"),
                               "-o", at(short)])
    wrong = []
    told = run(at("single"), at("single.gstride"), "stream")
    summed = run(at("summed"), at("stream.gstride"), "stream")
    expected, got = references(told), references(summed)
    if expected != got:
        for thread, (a, b) in enumerate(zip(expected, got)):
            n = next((n for n, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            wrong.append(f"thread {thread}: reference {n} of {len(a)} is {a[n:n + 3]}, "
                         f"summaries tell {b[n:n + 3]} of {len(b)}, site {summed.sites[(b + a)[n][0]]}")
    records = {"summaries": run(at("summed"), at("summed.gstride"), "maxel=5"), "writing": summed,
               "literal": run(at("summed"), at("literal.gstride"), "literal")}
    streams = defaultdict(list)
    for each in expected:
        for site, name, address in each:
            streams[name, told.sites[site]["kind"]].append(address)
    for variant in ("filtered", "all"):
        right = {key: (len(a), gstride.histograms(a, variant)) for key, a in streams.items()}
        for name, record in records.items():
            measured = record.streams(variant)
            for key in sorted(set(right) | set(measured)):
                if measured.get(key) != right.get(key):
                    wrong.append(f"{name}, {variant} {key}: {measured.get(key)} instead of {right.get(key)}")
    for name, record in records.items():
        if bulk(record) != bulk(told):
            wrong.append(f"{name}: copies and fills {bulk(record)} instead of {bulk(told)}")
    counts = sorted(records["summaries"].loop_counts)
    for name in ("writing", "literal"):
        if sorted(records[name].loop_counts) != counts:
            wrong.append(f"{name}: loops differ")
    print("\n".join(wrong[:10]))
    print(f"{len(streams)} streams, {sum(map(len, expected))} references, {len(counts)} loops, "
          f"{len(wrong)} wrong")
    sys.exit(bool(wrong) or not streams)


if __name__ == "__main__":
    main()
