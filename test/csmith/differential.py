#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs from csmith, instrumented in every way and optimized with every
layout, must print what they printed before.

Program number N is always the same: its seed is --seed plus N. Compilers,
optimization levels and PIE alternate. Programs that run longer than two seconds
or fail are left out. csmith's programs take no input, so besides the true profile there
are scrambled ones, in which code that runs is called cold and the reverse.
However a program is instrumented, the counts must be the same, too. -verify looks
at every output.

Each failure is printed with its seed and a command that repeats it; the last
line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "tools"))
from optimizer import (Failure, difference, export_text, functions_split, instrument, must,
                       observe, optimize, scramble, shell)

LAYOUTS = {
    "graupel": ["-layout=graupel"],
    "spike": ["-layout=spike"],
    "spike:chain": ["-layout=spike", "-layout-steps=chain"],
    "spike:place": ["-layout=spike", "-layout-steps=place"],
    "spike:split,place": ["-layout=spike", "-layout-steps=split,place"],
    "graupel-cold": ["-layout=graupel", "-cold-share=30"],
    "spike-cold": ["-layout=spike", "-cold-share=30"],
    # Everything at random, whatever the profile says.
    "stress-1": ["-stress-layout=1"],
    "stress-2": ["-layout=none", "-stress-layout=2"],
    "hco": ["-hco", "-hco-verify"],
    "hco-random": ["-hco", "-hco-verify", "-hco-random=1"],
    "hco-random-2": ["-hco", "-hco-verify", "-hco-random=2", "-layout=spike"],
    "hco-invert": ["-hco", "-hco-verify", "-hco-invert"],
}
SCRAMBLES = {
    "graupel-scrambled": (1, ["-layout=graupel"]),
    "spike-scrambled": (2, ["-layout=spike", "-cold-share=10"]),
    "graupel-scrambled-cold": (3, ["-layout=graupel", "-cold-share=20"]),
    # Trained with something else, as far as cold code can tell.
    "hco-scrambled": (4, ["-hco", "-hco-verify"]),
    "hco-scrambled-2": (5, ["-hco", "-hco-verify", "-layout=spike"]),
}
INSTRUMENTATIONS = {
    "instrumented": [],
    "atomic": ["-atomic"],
    # The profile of the first decides which edges are counted.
    "recounted": ["-data"],
}
COMPILERS = ("gcc", "clang")
LEVELS = ("-O1", "-O2", "-O3")
LINKS = (["-fPIE", "-pie"], ["-fno-pie", "-no-pie"])


def csmith_include():
    for folder in ("/usr/include/csmith", "/usr/local/include/csmith",
                   *(os.path.join(p, "..", "include", "csmith")
                     for p in os.environ.get("PATH", "").split(os.pathsep))):
        if os.path.exists(os.path.join(folder, "csmith.h")):
            return folder
    return None


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=30, metavar="N",
                   help="programs to generate (default: 30)")
    p.add_argument("--seed", type=int, default=1, metavar="S",
                   help="of the first program (default: 1)")
    p.add_argument("--jobs", type=int, default=1, metavar="J",
                   help="programs at a time (default: 1)")
    p.add_argument("--keep", metavar="DIR",
                   help="keep all files in DIR (default: keep those of failures, in a "
                        "temporary folder that is named)")
    p.add_argument("--layouts", nargs="+", metavar="NAME",
                   choices=[*LAYOUTS, *SCRAMBLES], default=[*LAYOUTS, *SCRAMBLES],
                   help="of " + ", ".join([*LAYOUTS, *SCRAMBLES]) + " (default: all)")
    p.add_argument("--shipped", action="store_true",
                   help="without relocations, and every second program without symbols: "
                        "copies beside the original")
    args = p.parse_args()
    if args.shipped:
        # This one is about relocations.
        args.layouts = [name for name in args.layouts if name != "stress-2"]
        # By default not all functions are worth a copy.
        for name in set(args.layouts) - {"graupel", "graupel-scrambled"}:
            (LAYOUTS[name] if name in LAYOUTS else SCRAMBLES[name][1]).append("-copies=always")
    return args


def count(program, expected, folder, profile):
    """Instruments in each way, and leaves the counts in \p profile."""
    first = None
    for name, options in INSTRUMENTATIONS.items():
        instrumented = os.path.join(folder, name)
        counts, text = f"{instrumented}.gprofile", f"{instrumented}.fdata"
        options = [option if option != "-data" else f"-data={first}" for option in options]
        instrument(program, instrumented, counts, [*options, "-verify"])
        wrong = difference(expected, observe([instrumented], timeout=30))
        if wrong:
            raise Failure(f"{name}: {wrong}", shell([instrumented]))
        export_text(counts, text)
        if not first:
            first = counts
            os.rename(text, profile)
        elif sorted(open(text)) != sorted(open(profile)):
            raise Failure(f"{name}: other counts", shell(["diff", text, profile]))


def linked(seed, shipped):
    """What is left in the program."""
    if not shipped:
        return ["-Wl,--emit-relocs"]
    return ["-s"] if seed // 12 % 2 else []


def check_program(seed, folder, layouts, shipped):
    """Returns (outcome, functions split, failures): outcome is passed, failed or
    skipped."""
    compiler, level = COMPILERS[seed % 2], LEVELS[seed // 2 % 3]
    link = LINKS[seed // 6 % 2]
    os.makedirs(folder, exist_ok=True)
    source, program, profile = (os.path.join(folder, name)
                                for name in ("program.c", "program", "program.fdata"))
    # It also writes a file where it runs.
    must(["csmith", "--seed", str(seed), "--output", source, "--max-funcs", "8",
          "--concise"], cwd=folder)
    must([compiler, "-w", level, *link, "-I", csmith_include(),
          *linked(seed, shipped), source, "-o", program])
    expected = observe([program], timeout=2)
    # csmith's programs return 0. One without code, of which clang sees that it
    # never ends, returns a part of its own address, for example.
    if expected is None or expected[0]:
        return "skipped", 0, []

    split, failures = 0, []
    count(program, expected, folder, profile)
    for name in layouts:
        data, options = profile, LAYOUTS.get(name)
        if options is None:
            scramble_seed, options = SCRAMBLES[name]
            data = os.path.join(folder, f"{name}.fdata")
            scramble(profile, data, seed * 10 + scramble_seed)
        optimized = os.path.join(folder, name)
        options = [*options, "-verify"]
        command = shell(["graupel-bolt", program, "-o", optimized, f"-data={data}",
                         *options])
        try:
            split += functions_split(optimize(program, optimized, data, options))
            wrong = difference(expected, observe([optimized], timeout=30))
            if wrong:
                raise Failure(wrong, f"{command} && {shell([optimized])}")
        except Failure as failure:
            failures.append(f"{compiler} {level} {' '.join(link)}, {name}: {failure}")
    return "failed" if failures else "passed", split, failures


def main():
    args = arguments()
    for tool in ("csmith",):
        if not shutil.which(tool):
            sys.exit(f"csmith/differential.py: {tool} was not found; install csmith")
    if not csmith_include():
        sys.exit("csmith/differential.py: csmith.h was not found; install libcsmith-dev")
    root = args.keep or tempfile.mkdtemp(prefix="graupel-csmith.")
    tally = {"passed": 0, "failed": 0, "skipped": 0}
    split = 0
    progress = sys.stderr.isatty()

    def one(seed):
        folder = os.path.join(root, str(seed))
        try:
            return seed, *check_program(seed, folder, args.layouts, args.shipped)
        except Failure as failure:
            return seed, "failed", 0, [str(failure)]

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for seed, outcome, n, failures in pool.map(
                one, range(args.seed, args.seed + args.count)):
            tally[outcome] += 1
            split += n
            if progress:
                print(f"\r{sum(tally.values())}/{args.count} programs, "
                      f"{tally['failed']} failed ", end="", file=sys.stderr, flush=True)
            for failure in failures:
                print(f"FAILED: seed {seed}: {failure}\n"
                      f"  or all of it: {sys.argv[0]} --seed {seed} --count 1"
                      f"{' --shipped' if args.shipped else ''}", flush=True)
            if outcome != "failed" and not args.keep:
                shutil.rmtree(os.path.join(root, str(seed)), ignore_errors=True)
    if progress:
        print(file=sys.stderr)
    if tally["failed"]:
        print(f"files of the failures are in {root}")
    elif not args.keep:
        shutil.rmtree(root)
    if not split and any("spike" in name for name in args.layouts):
        print("FAILED: no function was split in any program; this tests nothing")
        tally["failed"] += 1
    print(f"{tally['skipped']} skipped (too slow, or fail), {split} functions split")
    print(f"{tally['passed']} passed, {tally['failed']} failed")
    sys.exit(tally["failed"] > 0 or tally["passed"] == 0)


if __name__ == "__main__":
    main()
