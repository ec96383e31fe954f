#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, changed and built again, behave the same with the old build's profile.

Program number N is always the same: its seed is --seed plus N. Functions move, come, go and
get other names, blocks are added, compilers, levels and links differ, every third new build is
stripped. The profile also serves to instrument the new build and is merged with its own.
Profiles that are damaged, with checksums made right again and without, and such of other
programs are refused with an error, or else the output works. -verify looks at every output.

Each failure is printed with its seed and a command that repeats it; the last line is
"N passed, N failed".
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "..", "..", folder) for folder in ("csmith", "tools", "fuzz")]
from differential import csmith_include  # First: tools/ has another of the name.
from gprofilemutators import PAGE, reseal
from limits import limit
from optimizer import (Failure, difference, graupel_bolt, instrument, must, observe, optimize,
                       shell)

LAYOUTS = (["-layout=graupel"], ["-layout=spike"], ["-hco", "-hco-verify"],
           ["-layout=graupel", "-cold-share=30"])
LEVELS = ("-O1", "-O2", "-O3")
ADDED = """
static volatile unsigned edit_sum, edit_count;
static __attribute__((noinline)) unsigned added_%d(unsigned n)
{
  unsigned i, sum = n;
  for (i = 0; i < n; ++i)
    if (sum %% 3 == i %% 2) sum += i * %d; else edit_sum ^= sum;
  return sum;
}
"""
STATEMENT = "if (edit_count++ & 3) edit_sum += edit_count;"
FUNCTION = re.compile(r"^static [^\n;]*\)\n\{.*?^\}\n", re.M | re.S)


def added(source, chance):
    """The program with another function, which runs."""
    number = chance.randrange(1, 99)
    text = ADDED % (number, number)
    first = FUNCTION.search(source).start()
    source = source[:first] + text + source[first:]
    return re.sub(r"(int main[^\n]*\n\{\n)", rf"\1edit_sum += added_{number}(40);\n", source)


def changed(source, chance):
    """The program's next version."""
    source = added(source, chance) if chance.random() < 0.7 else source
    source = re.sub(r"^(#include .*)$", r"\1" "\nstatic volatile unsigned edit_sum, edit_count;",
                    source, count=1, flags=re.M)
    if chance.random() < 0.7:
        functions = FUNCTION.findall(source)
        rest = FUNCTION.split(source)
        chance.shuffle(functions)
        source = rest[0] + "".join(a + b for a, b in zip(functions, rest[1:]))
    if chance.random() < 0.7:
        source = re.sub(r"^( +\{ *)$", lambda m: m[1] + STATEMENT * (chance.random() < 0.1),
                        source, flags=re.M)
    if chance.random() < 0.3:
        source = re.sub(r"\bfunc_(\d+)", r"procedure_\1", source)
    return source


class Pair:
    """Two builds of a program."""

    def __init__(self, seed, folder):
        os.makedirs(folder, exist_ok=True)
        self.seed, self.folder = seed, folder
        self.chance = chance = random.Random(seed)
        self.profile = self.path("old.gprofile")
        self.stripped = seed % 3 == 2
        must(["csmith", "--seed", str(seed), "--output", self.path("program.c"), "--max-funcs",
              "8", "--concise"])
        with open(self.path("program.c")) as file:
            source = file.read()
        old = added(source, chance) if chance.random() < 0.5 else source
        tools = [chance.choice(("gcc", "clang")), chance.choice(LEVELS)]
        self.expected = self.build("old", old, [*tools, "-Wl,--emit-relocs"])
        if chance.random() < 0.3:
            tools = [chance.choice(("gcc", "clang")), chance.choice(LEVELS)]
        self.build("new", changed(source, chance),
                   [*tools, "-s" if self.stripped else "-Wl,--emit-relocs"])
        self.usual = ["-ignore-build-id", "-verify"] + ["-allow-stripped"] * self.stripped

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name, source, command):
        with open(self.path(f"{name}.c"), "w") as file:
            file.write(source)
        must([*command, "-w", "-Wl,--build-id", "-I", csmith_include(), self.path(f"{name}.c"),
              "-o", self.path(name)])
        return observe([self.path(name)], timeout=2)

    def same(self, name):
        wrong = difference(self.expected, observe([self.path(name)], timeout=30))
        if wrong:
            raise Failure(f"{name}: {wrong}", shell([self.path(name)]))

    def use(self):
        """Returns what was said about the match."""
        instrument(self.path("old"), self.path("old.inst"), self.profile, ["-verify"])
        self.same("old.inst")
        said = optimize(self.path("new"), self.path("out"), self.profile,
                        [*self.usual, *LAYOUTS[self.seed // 3 % len(LAYOUTS)]])
        self.same("out")
        return said

    def count_again(self):
        """The new build's own profile, with counters placed by the old one, and both."""
        if self.stripped:
            return
        own = self.path("new.gprofile")
        instrument(self.path("new"), self.path("new.inst"), own,
                   [f"-data={self.profile}", *self.usual])
        self.same("new.inst")
        if self.refused([graupel_bolt(), "merge", "-o", self.path("sum"), own, self.profile],
                        self.path("sum")):
            return  # Too little is left of it.
        optimize(self.path("new"), self.path("both"), self.path("sum"), ["-verify"])
        self.same("both")

    def damaged(self):
        """A profile with a few other bytes."""
        chance = random.Random(self.seed * 7)
        with open(self.profile, "rb") as file:
            data = bytearray(file.read())
        begin = chance.choice((0, PAGE))
        for _ in range(chance.choice((1, 3, 40))):
            data[chance.randrange(begin, len(data))] = chance.choice((0, 1, 0x7f, 0x80, 0xff))
        if chance.random() < 0.8:
            data = reseal(bytes(data))
        with open(self.path("damaged"), "wb") as file:
            file.write(data)
        return self.path("damaged")

    def refused(self, command, output):
        """Whether a command ends with an error, cleanly."""
        if os.path.exists(output):
            os.remove(output)
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                errors="replace", timeout=limit(60))
        if result.returncode and (result.returncode != 1 or os.path.exists(output)
                                  or "graupel-bolt: error: " not in result.stderr):
            raise Failure(f"not refused cleanly (status {result.returncode}):\n"
                          + result.stderr[-600:], shell(command))
        return result.returncode == 1

    def refuses(self, profile, options):
        """Whether another profile is refused; otherwise the output must work."""
        output = self.path("other")
        if self.refused([graupel_bolt(), self.path("new"), "-o", output, f"-data={profile}",
                         *options], output):
            return True
        self.same("other")
        return False


def check(seed, root, tally):
    pair = Pair(seed, os.path.join(root, str(seed)))
    # One without code, of which clang sees that it never ends, returns anything.
    if pair.expected is None or pair.expected[0]:
        tally["skipped"] += 1
        return
    said = pair.use()
    tally["functions"] += int(re.search(r"is of another file: matched (\d+)", said)[1])
    tally["in part"] += not re.search(r" 0 \(0\.0 %\) in part", said)
    pair.count_again()
    tally["refused"] += pair.refuses(pair.damaged(), pair.usual)
    if tally["foreign"]:
        tally["refused"] += pair.refuses(tally["foreign"], pair.usual[1:])
    tally["foreign"] = pair.profile
    tally["passed"] += 1


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=8, help="programs (default: 8)")
    p.add_argument("--seed", type=int, default=1, help="of the first (default: 1)")
    p.add_argument("--folder", required=True)
    options = p.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    tally = {name: 0 for name in ("passed", "failed", "skipped", "functions", "in part",
                                  "refused")}
    tally["foreign"] = None
    for seed in range(options.seed, options.seed + options.count):
        try:
            check(seed, options.folder, tally)
        except Failure as failure:
            tally["failed"] += 1
            print(f"FAILED: seed {seed}: {failure}\n  or all of it: {sys.argv[0]} --seed {seed} "
                  f"--count 1 --folder {options.folder}", flush=True)
    print(f"{tally['skipped']} skipped (too slow, or fail); {tally['functions']} functions "
          f"matched, in {tally['in part']} programs some in part; {tally['refused']} profiles "
          "refused")
    print(f"{tally['passed']} passed, {tally['failed']} failed")
    sys.exit(tally["failed"] > 0 or not tally["passed"])


if __name__ == "__main__":
    main()
