#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libstdc++'s own tests of containers and strings, on shared memory and two nodes.

Each test is compiled as ever with graupel-dsm.cfg, but std::allocator gives out shared
memory (Inputs/allocator/bits/c++allocator.h) and main runs on node 0 while node 1 takes the
blocks away again and again (Inputs/harness.cpp). A test that fails is compiled and run without
Graupel, too: what fails there, or does not compile, is "skipped".

  suite.py --table results.tsv             # all, resumable: what the table has is kept
  suite.py --tests '*list/operations*'     # some
  suite.py --sample 20 --seed 7            # drawn by the seed

The tests come from tools/fetch-libstdcxx.sh. The last line is
"N passed, N failed, N skipped".
"""
import argparse
import concurrent.futures
import fnmatch
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
sys.path[:0] = [str(HERE.parent / "tools")]
from limits import limit

ROOT = HERE.parents[1]
PARTS = ("21_strings", "23_containers")
OPTIONS = re.compile(r'dg-(?:additional-)?options\s+"([^"]*)"(.*)')


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", type=Path, default=ROOT / "build", metavar="DIR",
                   help="Graupel's build folder (default: build)")
    p.add_argument("--tests", default="*", metavar="GLOB")
    p.add_argument("--sample", type=int, metavar="N")
    p.add_argument("--seed", type=int, default=1, metavar="S")
    p.add_argument("--jobs", type=int, default=1, metavar="J")
    p.add_argument("--nodes", type=int, default=2, metavar="N")
    p.add_argument("--block", type=int, default=32, metavar="BYTES")
    p.add_argument("--table", type=Path, metavar="FILE",
                   help="outcomes by test; tests that are in it are not run again")
    p.add_argument("--keep", type=Path, metavar="DIR", help="leave failing programs there")
    return p.parse_args()


class Outcome(Exception):
    """Ends a test."""


def run(command, seconds, **options):
    """What it said; processes that it has started end with it."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", stdin=subprocess.DEVNULL,
                               start_new_session=True, **options)
    try:
        out, err = process.communicate(timeout=limit(seconds))
        return subprocess.CompletedProcess(command, process.returncode, out, err)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return subprocess.CompletedProcess(command, 124, "", "takes too long")


def flags(text):
    """The options that a test asks for, and its standard."""
    found = []
    for options, rest in OPTIONS.findall(text):
        if "target" not in rest or "*-*-*" in rest or "x86_64" in rest:
            found += options.split()
    if not any(flag.startswith("-std=") for flag in found):
        action = re.search(r"dg-do run\s*\{\s*target\s+([^}]*)", text)
        wanted = action[1] if action else ""
        standard = "98" if "c++98_only" in wanted else "2b" if "c++23" in wanted else \
            "20" if re.search(r"c\+\+2[0a]", wanted) else "17"
        found.append(f"-std=gnu++{standard}")
    return found


class Suite:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.tests = args.build / "libstdcxx" / "testsuite"
        self.compiler = ["clang++-22" if shutil.which("clang++-22") else "clang++", "-O2", "-w",
                         f"-I{self.tests / 'util'}"]
        self.checked = [f"--config={args.build / 'share/graupel/graupel-dsm.cfg'}"]
        self.helpers = {}
        for kind, options in (("checked", self.checked), ("plain", [])):
            self.helpers[kind] = [self.compile(kind, self.tests / "util" / f"{name}.cc", options)
                                  for name in ("testsuite_hooks", "testsuite_allocator")]
        self.helpers["checked"].append(
            self.compile("checked", HERE / "Inputs" / "harness.cpp", [*self.checked, "-std=c++20"]))

    def compile(self, kind, source, options):
        output = self.folder / f"{kind}-{source.stem}.o"
        result = run([*self.compiler, *options, "-c", str(source), "-o", str(output)], 120)
        if result.returncode:
            sys.exit(f"{source}: {result.stderr[:2000]}")
        return str(output)

    def names(self):
        for part in PARTS:
            for file in sorted((self.tests / part).rglob("*.cc")):
                text = file.read_text(encoding="latin-1")
                if "dg-do compile" not in text and "dg-do link" not in text and \
                        "dg-do preprocess" not in text and "xfail" not in text and \
                        "-pthread" not in text and "_new_operators.h" not in text and \
                        "replacement_memory_operators.h" not in text:
                    yield str(file.relative_to(self.tests))

    def build(self, kind, source, options, folder):
        """The program, or Outcome."""
        program = folder / kind
        result = run([*self.compiler, *options, "-c", str(source), "-o", f"{program}.o"], 180)
        if result.returncode:
            raise Outcome("skipped", "does not compile")
        if kind == "checked":
            run(["llvm-objcopy-22", "--redefine-sym", "main=suite_main", f"{program}.o"], 60)
        result = run([*self.compiler, *(self.checked if kind == "checked" else []),
                      f"{program}.o", *self.helpers[kind], "-o", str(program)], 180)
        if result.returncode:
            raise Outcome("skipped" if kind == "plain" else "failed",
                          "does not link: " + result.stderr.strip().splitlines()[0])
        return program

    def one(self, name, folder):
        source = self.tests / name
        options = flags(source.read_text(encoding="latin-1"))
        try:
            # Strings are instantiated in the test, so that what they allocate is shared.
            strings = ["-D_GLIBCXX_EXTERN_TEMPLATE=0"] if name.startswith("21") else []
            program = self.build("checked", source,
                                 [*self.checked, f"-I{HERE / 'Inputs' / 'allocator'}", *strings, *options],
                                 folder)
            result = run([str(self.args.build / "bin" / "graupel"), "dsm", "run",
                          "-n", str(self.args.nodes), f"--block={self.args.block}",
                          str(program)], 30, cwd=folder)
            said = re.search(r"suite: (\d+) changes, (\d+) blocks taken", result.stderr)
            if result.returncode == 0 and said:
                raise Outcome("passed", f"{said[1]} changes, {said[2]} blocks")
            raise Outcome("failed", (result.stderr.strip().splitlines() or ["?"])[0][:200])
        except Outcome as outcome:
            kind, why = outcome.args
        if kind != "failed":
            return kind, why
        try:
            program = self.build("plain", source, options, folder)
            if run([str(program)], 60, cwd=folder).returncode:
                return "skipped", "fails without Graupel"
        except Outcome as outcome:
            return "skipped", outcome.args[1]
        return "failed", why


def main():
    args = arguments()
    with tempfile.TemporaryDirectory(prefix="graupel-suite.") as temporary:
        if not (args.build / "libstdcxx" / "testsuite").is_dir():
            sys.exit("suite.py: error: no tests; run tools/fetch-libstdcxx.sh")
        suite = Suite(args, Path(temporary))
        done = {}
        if args.table and args.table.exists():
            done = {line.split("\t")[0]: line.split("\t")[1:]
                    for line in args.table.read_text(encoding="utf-8").splitlines()}
        names = [name for name in suite.names() if fnmatch.fnmatch(name, args.tests)]
        if args.sample:
            names = random.Random(args.seed).sample(names, min(args.sample, len(names)))

        def one(name):
            folder = (args.keep or Path(temporary)) / name.replace("/", ".")
            folder.mkdir(parents=True, exist_ok=True)
            outcome, why = suite.one(name, folder)
            if outcome != "failed" or not args.keep:
                shutil.rmtree(folder)
            return name, outcome, why

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            running = [pool.submit(one, name) for name in names if name not in done]
            for future in concurrent.futures.as_completed(running):
                name, outcome, why = future.result()
                done[name] = [outcome, why]
                if args.table:
                    with open(args.table, "a", encoding="utf-8") as table:
                        table.write(f"{name}\t{outcome}\t{why}\n")
                if outcome == "failed":
                    print(f"FAILED: {name}: {why}", flush=True)
    count = [sum(done.get(name, "?")[0] == outcome for name in names)
             for outcome in ("passed", "failed", "skipped")]
    print("{} passed, {} failed, {} skipped".format(*count))
    sys.exit(count[1] > 0 or count[0] == 0)


if __name__ == "__main__":
    main()
