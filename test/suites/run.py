#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test suites of real programs, run by programs that graupel-bolt optimized.

Each suite's program is built, instrumented, trained by a part of its tests and
optimized in each mode; then every test must end as it does with the original. One
that fails with both is no failure, and one that prints something else each time is
judged by its exit status. Sources come from Debian's source packages and are kept
in build/suites.

The last line is "N passed, N failed, N fail with the original as well".
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import suite as suites
from bench.cache import Cache
from bench.errors import BenchError
from bench.sources import Sources
from lua import Lua
from optimizer import end_of, graupel_bolt, shell
from perl import Perl
from sqlite import Sqlite
from tcc import Tcc
from zstd import Fuzzer, Stream, Zstd

SUITES = {cls.name: cls for cls in (Lua, Tcc, Zstd, Fuzzer, Stream, Sqlite, Perl)}
MODES = {"plain": [], "profile": ["-hco"], "random": ["-hco", "-hco-random={seed}"],
         "invert": ["-hco", "-hco-invert"]}


class Progress:
    """What bench's parts report to."""
    @staticmethod
    def step(text):
        print(f"# {text}", file=sys.stderr, flush=True)


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("suites", nargs="*", metavar="SUITE",
                   help=f"of {', '.join(SUITES)} (default: all)")
    p.add_argument("--modes", default="profile,random,invert", metavar="LIST",
                   help=f"of {', '.join(MODES)}; plain is without -hco (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1, metavar="N",
                   help="of -hco-random (default: 1)")
    p.add_argument("--options", default="", metavar="OPTIONS",
                   help="more options for graupel-bolt")
    p.add_argument("--tests", default="", metavar="LIST",
                   help="run only these, separated by commas (default: all)")
    p.add_argument("--every", type=int, default=1, metavar="N",
                   help="run each N-th test only (default: 1)")
    p.add_argument("--bisect", action="store_true",
                   help="find, for the first failure of each mode, the number of the procedure "
                        "that makes the test fail (default: false)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J",
                   help="tests at a time (default: one for each processor)")
    p.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes to FILE")
    p.add_argument("--cache", type=Path, default=suites.ROOT / "build" / "suites",
                   metavar="DIR", help="where programs and sources are kept (default: build/suites)")
    args = p.parse_args()
    args.suites = args.suites or list(SUITES)
    args.modes = args.modes.split(",")
    for what, given, known in (("suite", args.suites, SUITES), ("mode", args.modes, MODES)):
        for name in given:
            if name not in known:
                p.error(f"unknown {what} {name}; known: {', '.join(known)}")
    return args


class Runner:
    """One suite with the options of this run."""

    def __init__(self, suite, args):
        self.suite, self.args = suite, args
        self.all = list(suite.tests())
        chosen = set(filter(None, args.tests.split(",")))
        self.tests = [t for t in self.all[::args.every if not chosen else 1]
                      if not chosen or t.name in chosen]
        if not self.tests:
            raise BenchError(f"{suite.name} has no such test")
        self.tally = {"passed": 0, "failed": 0, "fail with the original as well": 0}
        self.records = []

    def run(self, test):
        """How a test ends: exit status and what it says. -1000: it does not end."""
        with tempfile.TemporaryDirectory(prefix="graupel-suite.") as scratch:
            for folder in test.copies:
                shutil.copytree(folder, scratch, dirs_exist_ok=True, symlinks=True)
            command = [str(word) for word in test.command]
            # A session of its own: what a test leaves behind ends with it.
            child = subprocess.Popen(command, cwd=test.cwd or scratch, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     start_new_session=True,
                                     env={**os.environ, "LC_ALL": "C", "TZ": "UTC", **test.env})
            try:
                output, _ = child.communicate(timeout=test.timeout)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                child.communicate()
                return -1000, ""
        text = output.decode(errors="replace").replace(scratch, "SCRATCH")
        return child.returncode, self.suite.relevant(text)

    def run_all(self, program, tests):
        """{test's name: how it ends} with this program installed."""
        self.suite.install(program)
        jobs = min(self.args.jobs, self.suite.jobs)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return dict(zip((t.name for t in tests), pool.map(self.run, tests)))

    def optimize(self, output, options):
        """graupel-bolt's command, and what it said if it failed."""
        command = [graupel_bolt(), str(self.suite.original), "-o", str(output), *options]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                errors="replace", check=False)
        if result.returncode == 0:
            return command, None
        return command, (result.stdout + result.stderr).strip()[-2000:] or end_of(result.returncode)

    def train(self):
        """Counts what a part of the tests executes."""
        folder = self.suite.cache.dir("programs", self.suite.name)
        self.profile = folder / "train.gprofile"
        # The same one for all modes and all runs, whatever tests were asked for.
        key = suites.digest_of(self.suite.recipe_key(), self.suite.original, self.suite.every)

        def run():
            self.profile.unlink(missing_ok=True)
            program = folder / "instrumented"
            command, said = self.optimize(program, ["-instrument",
                                                    f"-instrumentation-file={self.profile}"])
            if said:
                raise BenchError(f"cannot be instrumented: {said}\n  {shell(command)}")
            self.run_all(program, self.all[::self.suite.every])
        self.suite.cache.once(f"train-{self.suite.name}", key, [self.profile], run,
                              f"training {self.suite.name}")

    def check(self):
        """Runs all modes."""
        self.train()
        self.expected = self.run_all(self.suite.original, self.tests)
        for mode in self.args.modes:
            before = dict(self.tally)
            self.check_mode(mode)
            print(f"{self.suite.name} {mode}: " + ", ".join(
                f"{n - before[what]} {what}" for what, n in self.tally.items()), flush=True)
        self.suite.install(self.suite.original)

    def options(self, mode):
        return [f"-data={self.profile}",
                *(option.format(seed=self.args.seed) for option in MODES[mode]),
                *self.args.options.split()]

    def check_mode(self, mode):
        output = self.suite.cache.dir("programs", self.suite.name) / mode
        command, said = self.optimize(output, self.options(mode))
        if said:
            print(f"FAILED: {self.suite.name} {mode}: {said}\n  {shell(command)}")
            self.count("failed", mode, "graupel-bolt", said)
            return
        bad = []
        for name, ending in self.run_all(output, self.tests).items():
            expected = self.expected[name]
            if ending != expected:
                bad.append(name)
            elif expected[0] != 0:
                self.count("fail with the original as well", mode, name)
            else:
                self.count("passed", mode, name)
        failed = [name for name in bad if self.confirm(mode, output, name, command)]
        if failed and self.args.bisect:
            self.bisect(mode, failed[0])

    def confirm(self, mode, output, name, command):
        """Is the program the reason that a test ended otherwise, or does it do so each
        time? Counts it."""
        test = next(t for t in self.tests if t.name == name)
        expected = [self.expected[name], self.run_all(self.suite.original, [test])[name]]
        got = self.run_all(output, [test])[name]
        if expected[0] == expected[1]:
            wrong = got != expected[0]
        else:
            wrong = got[0] not in (expected[0][0], expected[1][0])
        self.count("failed" if wrong else "passed", mode, name)
        if wrong:
            print(f"FAILED: {self.suite.name} {mode} {name}: {describe(expected[0], got)}\n"
                  f"  optimized by: {shell(command)}\n  repeat with: test/suites/run.py "
                  f"{self.suite.name} --modes {mode} --seed {self.args.seed} "
                  f"--tests '{name}' --bisect", flush=True)
        return wrong

    def bisect(self, mode, name):
        """Prints the smallest -hco-max with which the test fails."""
        test = next(t for t in self.tests if t.name == name)
        output = self.suite.cache.dir("programs", self.suite.name) / f"{mode}.bisect"

        def fails(number):
            _, said = self.optimize(output, [*self.options(mode), f"-hco-max={number}"])
            return bool(said) or self.run_all(output, [test])[name] != self.expected[name]
        if fails(0):
            print(f"  {name} fails with -hco-max=0, too")
            return
        good, bad = 0, 1
        while not fails(bad) and bad < 1 << 20:
            good, bad = bad, 2 * bad
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (good, middle) if fails(middle) else (middle, bad)
        print(f"  {name} fails with -hco-max={bad}, not with {good}", flush=True)

    def count(self, outcome, mode, name, said=None):
        self.tally[outcome] += 1
        self.records.append({"suite": self.suite.name, "mode": mode, "test": name,
                             "outcome": outcome, "said": said})


def describe(expected, got):
    """What is different, in a line or two."""
    if got[0] != expected[0]:
        status = "does not end" if got[0] == -1000 else end_of(got[0])
        return f"{status}, the original: {end_of(expected[0])}"
    for old, new in zip((expected[1] + "\n(end)").splitlines(), (got[1] + "\n(end)").splitlines()):
        if old != new:
            return f"says {new!r}, the original: {old!r}"
    return "says something else"


def main():
    args = arguments()
    cache = Cache(args.cache, Progress)
    sources = Sources(cache)
    tally, records = {}, []
    for name in args.suites:
        suite = SUITES[name](cache, sources)
        try:
            suite.prepare()
            runner = Runner(suite, args)
            runner.check()
        except BenchError as error:
            sys.exit(f"suites/run.py: {name}: {error}")
        for what, number in runner.tally.items():
            tally[what] = tally.get(what, 0) + number
        records += runner.records
    if args.json:
        args.json.write_text(json.dumps(records, indent=1), encoding="utf-8")
    print(", ".join(f"{number} {what}" for what, number in tally.items()))
    sys.exit(tally["failed"] > 0 or tally["passed"] == 0)


if __name__ == "__main__":
    main()
