#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real programs' own test suites, run by what graupel-bolt made of the programs.

For each package and each of its configurations:
 1. build it from Debian's source package, with relocations (done once);
 2. run its suite with the original files;
 3. instrument all its programs and libraries, and run the part of the suite that
    makes the profile;
 4. in each mode: rewrite them, run the suite, and compare with 2. What differs is run
    again with both.
What was found is kept; it is found again only if graupel-bolt, the description or
the options have changed. A run that was stopped goes on where it was.

Modes: instrumented; profile (the default options, with the profile); plain (without
a profile); hco (-hco with room for every function); spike (-layout=spike); on demand
random and invert (-hco with blocks hot at random, or the wrong way round), and stress
(a random layout).

A line "ok - NAME" or "not ok - NAME" is printed for each package, configuration and
mode. The last line is "N passed, N failed, N refused, N not supported here".
"""
import argparse
import fnmatch
import os
import signal
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "benchmarks"), str(HERE.parent / "tools")]
import description
import table
from bench.cache import Cache
from bench.errors import BenchError
from bench.sources import Sources
from check import MODES, NORMAL_MODES, Checker, Tool
from optimizer import graupel_bolt
from state import State
from workspace import Workspace

CI_MODES = ["instrumented", "profile", "hco"]


class Progress:
    """What bench's parts report to."""
    @staticmethod
    def step(text):
        print(f"# {text}", file=sys.stderr, flush=True)


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("packages", nargs="*", metavar="PACKAGE",
                   help="names, with * and ? if need be (default: all)")
    p.add_argument("--list", action="store_true", help="say what there is, and end")
    p.add_argument("--ci", action="store_true",
                   help="only the small ones that continuous integration runs, one "
                        f"configuration each, modes {', '.join(CI_MODES)}")
    p.add_argument("--tag", metavar="TAG", help="only packages with this tag")
    p.add_argument("--config", action="append", metavar="CONFIG",
                   help="configurations, also others than the description's (may be repeated)")
    p.add_argument("--modes", metavar="LIST",
                   help=f"of {', '.join(MODES)} (default: {','.join(NORMAL_MODES)})")
    p.add_argument("--options", default="-verify", metavar="OPTIONS",
                   help="more options of graupel-bolt in each mode (default: -verify)")
    p.add_argument("--jobs", type=int, default=min(2, os.cpu_count()), metavar="N",
                   help="jobs of make, and files rewritten at a time (default: 2)")
    p.add_argument("--commit", metavar="TEXT",
                   help="what the table calls this graupel-bolt (default: the checkout's commit)")
    p.add_argument("--again", action="store_true", help="also what was found already")
    p.add_argument("--discard", action="store_true",
                   help="remove each build when its modes are done")
    p.add_argument("--cache", type=Path, default=ROOT / "build" / "programs", metavar="DIR",
                   help="sources, builds, results (default: build/programs)")
    p.add_argument("--table", type=Path, metavar="FILE",
                   help="write what is known of all packages as Markdown, and end")
    args = p.parse_args()
    args.modes = args.modes.split(",") if args.modes else CI_MODES if args.ci else NORMAL_MODES
    for mode in args.modes:
        if mode not in MODES:
            p.error(f"unknown mode {mode}; known: {', '.join(MODES)}")
    return args


def chosen(args, packages):
    """The packages that were asked for, in the order in which they were."""
    names = []
    for pattern in args.packages or ["*"]:
        found = fnmatch.filter(packages, pattern)
        if not found:
            sys.exit(f"programs/run.py: error: unknown package {pattern}; --list names them")
        names += [name for name in found if name not in names]
    return [packages[name] for name in names
            if (not args.ci or packages[name].ci)
            and (not args.tag or args.tag in packages[name].tags)]


def configurations(args, package):
    return args.config or (package.configs[:1] if args.ci else package.configs)


class Talk:
    """Prints results and counts them."""

    def __init__(self, ci):
        self.ci = ci
        self.counts = {"passed": 0, "failed": 0, "refused": 0, "not supported here": 0}

    def skip(self, name, why):
        self.counts["not supported here"] += 1
        print(f"ok - {name} # SKIP {why.splitlines()[0]}", flush=True)

    def broken(self, name, why):
        self.counts["failed"] += 1
        print(f"not ok - {name}: {why}", flush=True)

    def result(self, name, record):
        tests = f"{record['passed']} of its tests"
        if record["original"]:
            tests += f", {record['original']} fail with the original as well"
        said = "".join(f"\n    refused: {file}: {why.splitlines()[-1]}"
                       for file, why in record["refused"])
        if record["failed"]:
            self.counts["failed"] += 1
            shown = record["failed"][:12]
            said += "".join(f"\n    fails: {test}" for test in shown)
            said += f"\n    {record['command']}"
            print(f"not ok - {name} ({tests}, {len(record['failed'])} fail){said}", flush=True)
        elif record["refused"]:
            self.counts["failed" if self.ci else "refused"] += 1
            word = "not ok" if self.ci else "refused"
            print(f"{word} - {name} ({tests}, {len(record['refused'])} of {record['files']} files "
                  f"refused){said}", flush=True)
        else:
            self.counts["passed"] += 1
            print(f"ok - {name} ({tests})", flush=True)


def run(args, packages):
    cache = Cache(args.cache, Progress)
    sources, state = Sources(cache), State(cache.root)
    tool = Tool(graupel_bolt(), args.commit)
    talk = Talk(args.ci)
    for package in packages:
        try:
            for name in package.source:
                sources.tarball(name)
        except BenchError as error:
            talk.skip(package.name, str(error).replace("\n", " "))
            continue
        for config in configurations(args, package):
            try:
                workspace = Workspace(package, config, cache, sources, args.jobs)
                checker = Checker(workspace, tool, args.options.split(), state, args.again)
                for mode, record in checker.check(args.modes):
                    talk.result(f"{package.name} {config} {mode}", record)
            except BenchError as error:
                if "is not installed" in str(error):
                    talk.skip(f"{package.name} {config}", str(error))
                else:
                    talk.broken(f"{package.name} {config}", error)
                continue
            if args.discard:
                workspace.discard()
    print(", ".join(f"{number} {what}" for what, number in talk.counts.items()))
    return talk.counts["failed"] > 0


def main():
    # What it started ends with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    args = arguments()
    packages = description.load_all()
    if args.table:
        records = State(args.cache).read()
        args.table.write_text(table.markdown(packages, records), encoding="utf-8")
        return 0
    packages = chosen(args, packages)
    if args.list:
        for package in packages:
            print(f"{package.name:16} {' '.join(package.configs):40} "
                  f"{' '.join(package.tags):24} {package.about}")
        return 0
    return run(args, packages)


if __name__ == "__main__":
    sys.exit(main())
