#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC's testsuite must behave after graupel-bolt as it did before.

Each test is compiled in each configuration, run, rewritten by graupel-bolt in each
mode and run again, most of them as one of many in a program (program.py); exit status and output have to be the same, -verify has to find
each output sound, and instrumented programs have to leave a profile. Tests that do
not compile, whose original fails, or that take too long are skipped. graupel-bolt
may refuse a file with an error, which is printed; to crash or to write a program
that behaves differently is a failure. Failures are printed with the commands that
repeat them.

The tests come from Debian's package gcc-12-source, which is downloaded into
build/torture when it is not there yet. The last line is
"N passed, N failed, N refused, N skipped": programs by mode, and skipped programs.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tools"), str(HERE)]
import gcc_testsuite
from program import CONFIGS, MODES, Batch, Divide, Single, Skip

# Code addresses that escape, differences of labels and other things that are hard
# to rewrite: part of every sample.
HARD = ("920302-1", "920428-2", "920501-3", "920501-4", "920501-5", "920501-7", "920721-4",
        "980526-1", "990208-1", "comp-goto-1", "comp-goto-2", "nestfunc-5", "nestfunc-6",
        "pr24135", "built-in-setjmp", "pr60003", "pr84521", "pr71494")


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--configs", default="gcc-O2-pie,clang-O2-nopie", metavar="LIST",
                   help="COMPILER-LEVEL-LINK, compilers gcc and clang, levels O0 to O3, links "
                        "pie, nopie, static and staticpie; all; dynamic, all but the static ones "
                        "(default: %(default)s)")
    p.add_argument("--modes", default=",".join(MODES), metavar="LIST",
                   help=f"of {', '.join(MODES)} (default: all)")
    p.add_argument("--tests", default="*", metavar="GLOB",
                   help="tests whose name or whose file's name matches (default: all)")
    p.add_argument("--sample", type=int, metavar="N",
                   help="of these, the hard ones and others, N together (default: all)")
    p.add_argument("--seed", type=int, default=1, metavar="S",
                   help="decides which are in the sample (default: 1)")
    p.add_argument("--batch", type=int, default=32, metavar="K",
                   help="tests linked into one program; 1: each as it is (default: 32)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J",
                   help="programs at a time (default: one per processor)")
    p.add_argument("--timeout", type=float, default=5, metavar="SECONDS",
                   help="processor time for a run of the original; others get three times "
                        "that (default: 5)")
    p.add_argument("--options", default="", metavar="OPTIONS",
                   help="more options for each run of graupel-bolt")
    p.add_argument("--flags", default="", metavar="FLAGS",
                   help="more flags for the compiler")
    p.add_argument("--keep", metavar="DIR",
                   help="leave the files of failures in DIR (default: a temporary folder that "
                        "is named)")
    p.add_argument("--json", metavar="FILE", help="write all outcomes to FILE")
    p.add_argument("--cache", type=Path, default=HERE.parents[1] / "build" / "torture",
                   metavar="DIR", help="where the tests are kept (default: build/torture)")
    p.add_argument("--skip-without-package", action="store_true",
                   help="succeed if the tests cannot be had (default: fail)")
    args = p.parse_args()
    groups = {"all": CONFIGS, "dynamic": [c for c in CONFIGS if "static" not in c]}
    args.configs = groups.get(args.configs) or args.configs.split(",")
    args.modes = args.modes.split(",")
    for what, given, known in (("configuration", args.configs, CONFIGS),
                               ("mode", args.modes, MODES)):
        for name in given:
            if name not in known:
                p.error(f"unknown {what} {name}; known: {', '.join(known)}")
    return args


def choose(tests, args):
    tests = [t for t in tests if fnmatch.fnmatch(t.name, args.tests)
             or fnmatch.fnmatch(t.path.name, args.tests) or t.path.stem == args.tests]
    if args.sample is None or args.sample >= len(tests):
        return tests
    hard = [t for t in tests if t.path.stem in HARD]
    others = [t for t in tests if t.path.stem not in HARD]
    rest = random.Random(args.seed).sample(others, max(0, args.sample - len(hard)))
    return sorted(hard + rest, key=lambda t: t.name)


def run(tests, config, args, keep):
    """Yields programs that ran, each with a test at least, and why one was skipped."""
    folder = Path(tempfile.mkdtemp(prefix=f"{tests[0].path.stem}.{config}.", dir=keep))
    kind = Single if len(tests) == 1 else Batch
    program, reason = kind(tests, config, args, folder), None
    try:
        program.run()
    except Skip as skip:
        reason = str(skip)
    except Divide:
        shutil.rmtree(folder)
        middle = len(tests) // 2
        yield from run(tests[:middle], config, args, keep)
        yield from run(tests[middle:], config, args, keep)
        return
    if not program.complaints:
        shutil.rmtree(folder)
    yield program, reason
    if kind is Batch:
        for test in program.alone:
            yield from run([test], config, args, keep)


def main():
    args = arguments()
    try:
        root = gcc_testsuite.fetch(args.cache)
    except gcc_testsuite.NotAvailable as reason:
        print(f"GCC's tests cannot be had: {reason}")
        print("0 passed, 0 failed, 0 refused, 0 skipped")
        sys.exit(0 if args.skip_without_package else 1)
    tests = choose(gcc_testsuite.find_tests(root), args)
    work = [(tests[first:first + args.batch], config) for config in args.configs
            for first in range(0, len(tests), args.batch)]
    keep = Path(args.keep or tempfile.mkdtemp(prefix="graupel-torture.")).resolve()
    keep.mkdir(parents=True, exist_ok=True)
    tally = dict.fromkeys(("passed", "failed", "refused", "skipped"), 0)
    records = []
    progress = sys.stderr.isatty()

    def add(program, name, outcomes, reason):
        if isinstance(program, Batch) and any(name == test.name for test in program.alone):
            return
        outcomes = outcomes or {"all": "skipped"}
        for outcome in outcomes.values():
            tally[outcome] += 1
        records.append({"test": name, "config": program.config, "outcomes": outcomes,
                        "reason": reason})

    def results(item):
        return [*run(*item, args, keep)]

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, programs in enumerate(pool.map(results, work), 1):
            for program, reason in programs:
                for name, outcomes in program.outcomes.items():
                    add(program, name, outcomes, reason)
                for line in program.refusals + program.complaints:
                    print(line, flush=True)
            if progress:
                print(f"\r{number}/{len(work)} groups of tests, {tally['failed']} failed ",
                      end="", file=sys.stderr, flush=True)
    if progress:
        print(file=sys.stderr)
    if args.json:
        Path(args.json).write_text(json.dumps({"tally": tally, "programs": records}, indent=1),
                                   encoding="utf-8")
    if tally["failed"]:
        print(f"files of the failures are in {keep}")
    elif not args.keep:
        shutil.rmtree(keep)
    print(", ".join(f"{number} {what}" for what, number in tally.items()))
    sys.exit(tally["failed"] > 0 or tally["passed"] == 0)


if __name__ == "__main__":
    main()
