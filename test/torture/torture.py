#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC's testsuite must behave after graupel-bolt as it did before.

Each test is compiled in each configuration, run, rewritten by graupel-bolt in each
mode and run again; exit status and output have to be the same, -verify has to find
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
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tools"), str(HERE)]
import gcc_testsuite
from limits import limit, of_processor_time
from optimizer import difference, end_of, graupel_bolt, shell

# Options by mode. "-data" stands for the profile that "instrumented" leaves.
MODES = {
    "rewrite": [],
    "instrumented": ["-instrument"],
    "atomic": ["-instrument", "-atomic"],
    # The profile decides which edges are counted.
    "recounted": ["-instrument", "-data"],
    "profiled": ["-data"],
    "spike": ["-data", "-layout=spike"],
    "cold": ["-data", "-layout=spike", "-cold-share=50"],
    "stress-1": ["-stress-layout=1"],
    "stress-2": ["-data", "-stress-layout=2"],
    "hco": ["-data", "-hco"],
    "hco-random": ["-data", "-hco", "-hco-random=1"],
    "hco-invert": ["-data", "-hco", "-hco-invert"],
}
DEFAULT_MODES = list(MODES)
COMPILERS = {"gcc": ("gcc-12", "g++-12", "gcc", "g++"),
             "clang": ("clang-22", "clang++-22", "clang", "clang++")}
LINKS = {"pie": ["-fPIE", "-pie"], "nopie": ["-fno-pie", "-no-pie"],
         "static": ["-fno-pie", "-static"], "staticpie": ["-fPIE", "-static-pie"]}
CONFIGS = [f"{compiler}-{level}-{link}" for compiler in COMPILERS
           for level in ("O0", "O1", "O2", "O3") for link in LINKS]
# Code addresses that escape, differences of labels and other things that are hard
# to rewrite: part of every sample.
HARD = ("920302-1", "920428-2", "920501-3", "920501-4", "920501-5", "920501-7", "920721-4",
        "980526-1", "990208-1", "comp-goto-1", "comp-goto-2", "nestfunc-5", "nestfunc-6",
        "pr24135", "built-in-setjmp", "pr60003", "pr84521", "pr71494")


# Half of the tests are older than the rules that clang enforces.
OLD_C = ["-Wno-implicit-int", "-Wno-implicit-function-declaration", "-Wno-int-conversion",
         "-Wno-incompatible-pointer-types", "-Wno-return-mismatch"]


class Skip(Exception):
    """This program tests nothing here."""


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--configs", default="gcc-O2-pie,clang-O2-nopie", metavar="LIST",
                   help="COMPILER-LEVEL-LINK, compilers gcc and clang, levels O0 to O3, links "
                        "pie, nopie, static and staticpie, or all (default: %(default)s)")
    p.add_argument("--modes", default=",".join(DEFAULT_MODES), metavar="LIST",
                   help=f"of {', '.join(MODES)} (default: all)")
    p.add_argument("--tests", default="*", metavar="GLOB",
                   help="tests whose name or whose file's name matches (default: all)")
    p.add_argument("--sample", type=int, metavar="N",
                   help="of these, the hard ones and others, N together (default: all)")
    p.add_argument("--seed", type=int, default=1, metavar="S",
                   help="decides which are in the sample (default: 1)")
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
    args.configs = CONFIGS if args.configs == "all" else args.configs.split(",")
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


def observe(program, timeout, folder):
    """Exit status and output of a run; all runs have the same argv. None if it took
    too long."""
    try:
        result = subprocess.run(["program"], executable=program, cwd=folder,
                                timeout=limit(timeout), preexec_fn=of_processor_time(timeout),
                                stdin=subprocess.DEVNULL, capture_output=True)
    except subprocess.TimeoutExpired:
        return None
    if result.returncode == -signal.SIGXCPU:
        return None
    return result.returncode, result.stdout, result.stderr


class Program:
    """One test in one configuration."""

    def __init__(self, test, config, args, folder):
        self.test, self.args, self.folder = test, args, folder
        self.config = config
        self.program = folder / "program"
        self.outcomes = {}
        self.complaints = []
        self.refusals = []

    def compile(self):
        compiler, level, link = self.config.split("-")
        names = COMPILERS[compiler][self.test.is_cxx::2]
        found = next(filter(None, map(shutil.which, names)), None)
        if not found:
            raise Skip(f"{names[0]} was not found")
        self.build = [found, "-w", f"-{level}", *LINKS[link], "-Wl,--emit-relocs",
                      *self.args.flags.split(),
                      *self.test.flags(), str(self.test.path), "-o", str(self.program), "-lm"]
        if compiler == "clang":
            self.build[1:1] = ["-fuse-ld=lld", *([] if self.test.is_cxx else OLD_C)]
        try:
            result = subprocess.run(self.build, capture_output=True, timeout=limit(60), cwd=self.folder,
                                    check=False)
        except subprocess.TimeoutExpired:
            raise Skip("compiling takes too long") from None
        if result.returncode:
            raise Skip("does not compile")

    def run(self):
        """Fills outcomes: mode to passed, failed or refused."""
        self.compile()
        self.expected = observe(self.program, self.args.timeout, self.folder)
        if self.expected is None:
            raise Skip("takes too long")
        if self.expected[0]:
            raise Skip("the original fails")
        modes = self.args.modes
        needing = [mode for mode in modes if "-data" in MODES[mode]]
        if needing and "instrumented" not in modes:
            modes = ["instrumented", *modes]
        for mode in sorted(modes, key=lambda mode: mode in needing):
            if mode in needing and not self.profile("instrumented").exists():
                self.outcomes[mode] = "skipped"
            else:
                self.attempt(mode)

    def profile(self, mode):
        return self.folder / f"{mode}.gprofile"

    def attempt(self, mode):
        output = self.folder / mode
        command = [graupel_bolt(), str(self.program), "-o", str(output), "-verify",
                   *self.args.options.split()]
        for option in MODES[mode]:
            command.append(option if option != "-data"
                           else f"-data={self.profile('instrumented')}")
        if "-instrument" in MODES[mode]:
            command.append(f"-instrumentation-file={self.profile(mode)}")
        outcome, said = self.rewrite(command)
        if outcome == "passed":
            said = self.compare(mode, output)
            if said:
                outcome = "failed"
            else:
                output.unlink()
        if outcome == "failed":
            self.complaints.append(
                f"FAILED: {self.test.name} {self.config} {mode}: {said}\n"
                f"  reproduce with: {shell(self.build)} && {shell(command)} && {output}")
        elif outcome == "refused":
            self.refusals.append(f"refused: {self.test.name} {self.config} {mode}: {said}")
        self.outcomes[mode] = outcome

    def compare(self, mode, output):
        """What is wrong with the behaviour of the output, or None."""
        wrong = difference(self.expected, observe(output, 3 * self.args.timeout, self.folder))
        # Some tests print addresses or measure time.
        if wrong and self.expected != observe(self.program, self.args.timeout, self.folder):
            raise Skip("the original does not do the same each time")
        if not wrong and "-instrument" in MODES[mode] and not self.profile(mode).exists():
            return "no profile was written"
        return wrong

    @staticmethod
    def rewrite(command):
        """The outcome, and what there is to say about it."""
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                    text=True, errors="replace", timeout=limit(120))
        except subprocess.TimeoutExpired:
            return "failed", "graupel-bolt does not end"
        said = result.stdout + result.stderr
        if not result.returncode:
            if "graupel-bolt: verified" not in said:
                return "failed", "the output was not verified"
            return "passed", None
        crashed = re.search(r".*(crash|Stack dump|PLEASE submit).*", said)
        if result.returncode != 1 or crashed:
            return "failed", (f"graupel-bolt: {end_of(result.returncode)}"
                              f"{': ' + crashed[0].strip() if crashed else ''}")
        reason = re.search(r".*(error: |BOLT-ERROR).*", said)
        if not reason:
            return "failed", "graupel-bolt gives up without a word"
        # -verify found the output broken.
        defect = re.search(r".*the output would be wrong.*", said)
        return ("failed", defect[0]) if defect else ("refused", reason[0])


def main():
    args = arguments()
    try:
        root = gcc_testsuite.fetch(args.cache)
    except gcc_testsuite.NotAvailable as reason:
        print(f"GCC's tests cannot be had: {reason}")
        print("0 passed, 0 failed, 0 refused, 0 skipped")
        sys.exit(0 if args.skip_without_package else 1)
    work = [(test, config) for test in choose(gcc_testsuite.find_tests(root), args)
            for config in args.configs]
    keep = Path(args.keep) if args.keep else Path(tempfile.mkdtemp(prefix="graupel-torture."))
    tally = dict.fromkeys(("passed", "failed", "refused", "skipped"), 0)
    records = []
    progress = sys.stderr.isatty()

    def one(item):
        test, config = item
        folder = keep / f"{test.name.replace('/', '.')}.{config}"
        folder.mkdir(parents=True, exist_ok=True)
        program = Program(test, config, args, folder)
        try:
            program.run()
            reason = None
        except Skip as skip:
            reason, program.outcomes = str(skip), {"all": "skipped"}
            program.complaints, program.refusals = [], []
        if not program.complaints:
            shutil.rmtree(folder)
        return program, reason

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, (program, reason) in enumerate(pool.map(one, work), 1):
            for outcome in program.outcomes.values():
                tally[outcome] += 1
            records.append({"test": program.test.name, "config": program.config,
                            "outcomes": program.outcomes, "reason": reason})
            for line in program.refusals + program.complaints:
                print(line, flush=True)
            if progress:
                print(f"\r{number}/{len(work)} programs, {tally['failed']} failed ", end="",
                      file=sys.stderr, flush=True)
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
