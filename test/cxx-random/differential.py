#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C++ programs (generate.py), instrumented and optimized in every mode,
must do what they did before, exceptions above all.

Program number N is always the same, and so is the way it is built: compiler,
level, options and linker are drawn from its seed, which is --seed plus N, unless
--config says which. -verify looks at every output.

Each failure is printed with a command that repeats it and keeps the files; the
last line is "N passed, N failed".
"""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "tools"))
from generate import generate
from optimizer import (Failure, difference, export_text, graupel_bolt, instrument, must,
                       observe, scramble, shell)

TESTS = ("0", "1", "2")
HCO = ["-hco", "-hco-growth=1000"]
# Name: which profile, and options. The instrumented program is compared, too.
MODES = {
    "plain": (None, []),
    "graupel": ("true", []),
    "spike": ("true", ["-layout=spike"]),
    "hco": ("true", HCO),
    "fold": (None, ["-icf=all"]),
    "stress": ("true", ["-stress-layout=SEED"]),
    "stress-plain": (None, ["-layout=none", "-stress-layout=SEED"]),
    "spike-lie": ("lie", ["-layout=spike", "-cold-share=20"]),
    "hco-lie": ("lie", HCO),
    "hco-random": ("true", [*HCO, "-hco-random=SEED"]),
}
# Those that make copies of a program without relocations.
COPYING = ("graupel", "hco", "spike", "stress", "spike-lie", "hco-lie", "hco-random")
SHIPPED = False
COMPILERS = {"gcc": "g++", "clang": "clang++"}
LEVELS = ("-O0", "-O1", "-O2", "-O2", "-O2", "-O3", "-Os")
OPTIONS = (
    [], [], ["-fno-pie", "-no-pie"], ["-fcf-protection=full"], ["-fcf-protection=none"],
    ["-fno-asynchronous-unwind-tables"], ["-mno-red-zone"], ["-fno-omit-frame-pointer"],
    ["-flto"], ["-ffunction-sections", "-Wl,--gc-sections"], ["-static"], ["-static-pie"],
    ["-Wl,-z,now"], ["-fno-plt"],
)
GCC_OPTIONS = (
    ["-mno-accumulate-outgoing-args"], ["-freorder-blocks-and-partition"],
    ["-fno-reorder-blocks-and-partition"], ["-fnon-call-exceptions"],
    ["-fno-shrink-wrap"], ["-mstackrealign"],
)
LINKERS = ("bfd", "bfd", "gold", "lld", "mold")


class Config:
    """How a program is built, as a line of text that can be given again."""

    def __init__(self, text):
        words = text.split()
        self.compiler, self.linker, self.standard = words[0], words[1], int(words[2])
        self.flags = words[3:]

    def __str__(self):
        return " ".join([self.compiler, self.linker, str(self.standard), *self.flags])

    @classmethod
    def draw(cls, seed):
        chance = random.Random(seed)
        compiler = chance.choice([c for c in COMPILERS if shutil.which(COMPILERS[c])])
        linker = chance.choice([l for l in LINKERS if shutil.which(f"ld.{l}")] or ["bfd"])
        options = chance.choice(OPTIONS)
        if compiler == "gcc" and chance.random() < 0.4:
            options = chance.choice(GCC_OPTIONS)
        if options == ["-flto"] and (compiler, linker) not in (("gcc", "bfd"), ("clang", "lld")):
            options = []
        standard = chance.choice(("14", "20", "20"))
        return cls(" ".join([compiler, linker, standard, chance.choice(LEVELS), *options]))

    def link_flags(self):
        if self.compiler == "clang" and self.linker == "lld":
            return ["-fuse-ld=lld"]
        return [f"-B{linker_folder(self.linker)}"] if self.linker != "bfd" else []


def linker_folder(linker):
    """A folder in which the linker is called ld, which every compiler obeys."""
    folder = os.path.join(ROOT, f"linker-{linker}")
    os.makedirs(folder, exist_ok=True)
    link = os.path.join(folder, "ld")
    if not os.path.lexists(link):
        try:
            os.symlink(shutil.which(f"ld.{linker}"), link)
        except FileExistsError:
            pass
    return folder


def linked(seed):
    """What is left in the program."""
    if not SHIPPED:
        return ["-Wl,--emit-relocs"]
    return ["-s"] if seed % 2 else []


class Program:
    def __init__(self, seed, config, folder):
        self.seed, self.config, self.folder = seed, config, folder
        os.makedirs(folder, exist_ok=True)
        self.program = self.path("program")
        self.refused = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self):
        source = self.path("program.cpp")
        with open(source, "w") as f:
            f.write(generate(self.seed, self.config.standard))
        must([COMPILERS[self.config.compiler], "-w", f"-std=c++{self.config.standard}",
              "-fwrapv", f"-I{HERE}", *self.config.flags, *self.config.link_flags(),
              *linked(self.seed), source, "-o", self.program, "-lpthread"])
        self.expected = self.observe(self.program)
        return None not in self.expected and self.expected == self.observe(self.program)

    def observe(self, program):
        return [observe([program, test], timeout=TIMEOUT) for test in TESTS]

    def compare(self, program, command):
        for test, wanted, seen in zip(TESTS, self.expected, self.observe(program)):
            wrong = difference(wanted, seen)
            if wrong:
                raise Failure(f"with argument {test}: {wrong}",
                              f"{command} && {shell([program, test])}")

    def train(self):
        """Runs the instrumented program; leaves the true profile and a lie."""
        instrumented, counts = self.path("instrumented"), self.path("program.gprofile")
        instrument(self.program, instrumented, counts, ["-verify"])
        self.compare(instrumented, shell([graupel_bolt(), self.program, "-o", instrumented,
                                          "-instrument"]))
        os.remove(counts)
        observe([instrumented, TESTS[0]], timeout=TIMEOUT)
        export_text(counts, self.path("true"))
        scramble(self.path("true"), self.path("lie"), self.seed)

    def check(self, mode):
        profile, options = MODES[mode]
        output = self.path(mode)
        command = [graupel_bolt(), self.program, "-o", output, "-verify",
                   *[o.replace("SEED", str(self.seed)) for o in options]]
        if profile:
            command.append(f"-data={self.path(profile)}")
        must(command)
        self.compare(output, shell(command))

    def run(self, modes):
        """Returns (outcome, failures)."""
        if not self.build():
            return "skipped", []
        failures = []
        try:
            self.train()
        except Failure as failure:
            failures.append(f"instrumented: {failure}")
        for mode in modes:
            if MODES[mode][0] and not os.path.exists(self.path("lie")):
                continue
            try:
                self.check(mode)
            except Failure as failure:
                failures.append(f"{mode}: {failure}")
        return "failed" if failures else "passed", failures


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=10, metavar="N",
                   help="programs to generate (default: 10)")
    p.add_argument("--seed", type=int, default=1, metavar="S",
                   help="of the first program (default: 1)")
    p.add_argument("--jobs", type=int, default=1, metavar="J",
                   help="programs at a time (default: 1)")
    p.add_argument("--config", metavar="TEXT",
                   help="'COMPILER LINKER STANDARD FLAGS...' for all programs, say "
                        "'gcc bfd 20 -O2 -no-pie' (default: drawn from the seed)")
    p.add_argument("--modes", nargs="+", metavar="NAME", choices=list(MODES),
                   default=list(MODES), help="of " + ", ".join(MODES) + " (default: all)")
    p.add_argument("--keep", metavar="DIR",
                   help="keep all files in DIR (default: keep those of failures, in a "
                        "temporary folder that is named)")
    p.add_argument("--shipped", action="store_true",
                   help="without relocations, and every second program without symbols: "
                        "copies beside the original")
    p.add_argument("--timeout", type=float, default=60, metavar="SECONDS",
                   help="of each run of a program (default: 60)")
    return p.parse_args()


def main():
    global ROOT, TIMEOUT, SHIPPED
    args = arguments()
    SHIPPED = args.shipped
    if SHIPPED:
        args.modes = [mode for mode in args.modes if mode in COPYING]
        # By default not all functions are worth a copy.
        for mode in COPYING[1:]:
            MODES[mode][1].append("-copies=always")
    ROOT = args.keep or tempfile.mkdtemp(prefix="graupel-cxx.")
    TIMEOUT = args.timeout
    tally = collections.Counter()

    def one(seed):
        config = Config(args.config) if args.config else Config.draw(seed)
        if SHIPPED and "-static" in config.flags:
            config.flags.remove("-static")  # Refused: it registers its records.
        try:
            program = Program(seed, config, os.path.join(ROOT, str(seed)))
            return seed, config, *program.run(args.modes)
        except Failure as failure:  # It cannot be built.
            return seed, config, "skipped", [f"not built: {failure}"]

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for seed, config, outcome, failures in pool.map(
                one, range(args.seed, args.seed + args.count)):
            tally[outcome] += 1
            for failure in failures:
                word = "FAILED" if outcome == "failed" else "skipped"
                print(f"{word}: seed {seed}, {config}: {failure}\n  or all of it: {sys.argv[0]} "
                      f"--seed {seed} --count 1 --config '{config}' --keep DIR", flush=True)
            if outcome != "failed" and not args.keep:
                shutil.rmtree(os.path.join(ROOT, str(seed)), ignore_errors=True)
    if tally["failed"]:
        print(f"files of the failures are in {ROOT}")
    elif not args.keep:
        shutil.rmtree(ROOT)
    print(f"{tally['skipped']} skipped (not built, too slow, or not the same twice)")
    print(f"{tally['passed']} passed, {tally['failed']} failed")
    sys.exit(tally["failed"] > 0 or tally["passed"] == 0)


if __name__ == "__main__":
    main()
