#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loop programs with and without strips; see runtime.c for what is checked.

usage: differential.py --passes=SO --check=SO [--count=N] [--first=SEED]
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402

sys.path.insert(0, str(HERE.parents[2] / "tools"))
from limits import limit  # noqa: E402

LEVELS = ["-O1", "-O2", "-O3", "-O3 -mavx2 -mfma", "-O2 -fno-vectorize",
          "-O2 -fno-unroll-loops", "-O2 -ffast-math -g"]


def supported(level):
    with open("/proc/cpuinfo") as info:
        flags = info.read().split()
    return "avx2" not in level or "avx2" in flags


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def must(command):
    done = run(command)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}:\n{done.stderr[-600:]}")
    return done


def one(seed, arguments, folder, runtime):
    source = folder / "p.c"
    source.write_text(generate.Program(seed).text())
    levels = [level for level in LEVELS if supported(level)]
    level = random.Random(seed).choice(levels)
    flags = level.split() + ["-w", "-fno-math-errno", "-ffp-contract=off"]
    must(["clang", *flags, "-S", "-emit-llvm", "-o", folder / "p.ll", source])
    must(["clang", *flags, "-O0", "-Xclang", "-disable-llvm-passes", "-o",
          folder / "plain", folder / "p.ll", runtime])
    # Twice: what was cut already is left alone.
    must(["opt", f"-load-pass-plugin={arguments.passes}",
          f"-load-pass-plugin={arguments.check}",
          "-passes=graupel-fgdsm-strips,verify,graupel-fgdsm-strips,verify,"
          "strip-check,verify", "-o", folder / "p.bc", folder / "p.ll"])
    must(["clang", *flags, "-O0", "-Xclang", "-disable-llvm-passes", "-o",
          folder / "strips", folder / "p.bc", runtime])
    totals = [0, 0, 0, 0]
    for lo in ([], ["x"], ["x"] * 5):
        want = run([folder / "plain", *lo], timeout=limit(120))
        got = run([folder / "strips", *lo], timeout=limit(600))
        counts = re.findall(r"covered (\d+) uncovered (\d+) ranges (\d+) polls (\d+)",
                            got.stderr)
        if want.returncode or got.returncode or want.stdout != got.stdout \
                or not counts:
            raise RuntimeError(f"{level}: {len(lo)} arguments: wanted {want.stdout!r} "
                               f"(exit {want.returncode}), got {got.stdout!r} "
                               f"(exit {got.returncode}) {got.stderr[-500:]}")
        totals = [a + int(b) for a, b in zip(totals, counts[-1])]
    return totals


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", required=True)
    parser.add_argument("--check", required=True)
    parser.add_argument("--count", type=int,
                        default=int(os.environ.get("GRAUPEL_TEST_STRIPS", "20")))
    parser.add_argument("--first", type=int)
    arguments = parser.parse_args()
    first = arguments.first
    if first is None:
        first = random.SystemRandom().randrange(10 ** 9)
    totals = [0, 0, 0, 0]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runtime = folder / "runtime.o"
        must(["clang", "-O2", "-c", "-o", runtime, HERE / "runtime.c"])
        for seed in range(first, first + arguments.count):
            try:
                counts = one(seed, arguments, folder, runtime)
                totals = [a + b for a, b in zip(totals, counts)]
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                failed += 1
                print(f"seed {seed}: {problem}")
    print(f"seeds {first} to {first + arguments.count - 1}: {failed} failed; "
          f"covered {totals[0]} uncovered {totals[1]} "
          f"ranges {totals[2]} polls {totals[3]}")
    # Strips that cover little would pass every other test.
    if totals[0] < totals[1]:
        print("more accesses were left than covered")
        failed += 1
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
