#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a program in several ways, instruments and runs it, and fails unless
it behaves like the original and every count is exact.

  exact.py SOURCE -o PREFIX --builds gcc:pie,clang:static --expect NAME=COUNT ...

A build is a compiler (gcc, clang, musl) and a kind (pie, no-pie, static, static-pie).
The counts are those of one run with each --args, see counts.py. Prints one line
for each build; what failed is printed with commands that repeat it.
"""

import argparse
import os
import shlex
import sys

from counts import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tools"))
from optimizer import Failure, difference, graupel_bolt, must, observe, shell

KINDS = {"pie": ["-fPIE", "-pie"], "no-pie": ["-fno-pie", "-no-pie"],
         "static": ["-fno-pie", "-static"], "static-pie": ["-fPIE", "-static-pie"]}
CC = {"gcc": "gcc", "clang": "clang", "musl": "musl-gcc"}
CXX = {"gcc": "g++", "clang": "clang++"}


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("source")
    p.add_argument("-o", dest="prefix", required=True)
    p.add_argument("--builds", default=",".join(f"{c}:{k}" for k in KINDS for c in CXX))
    p.add_argument("--flags", default="", help="for the compiler")
    p.add_argument("--bolt", default="", help="for graupel-bolt")
    p.add_argument("--args", action="append", help="for the program; may be repeated")
    p.add_argument("--runs", type=int, default=2)
    p.add_argument("--expect", nargs="*", default=[])
    p.add_argument("--said", action="store_true",
                   help="the program prints what to expect, which differs each time")
    p.add_argument("--timeout", type=float, default=60)
    return p.parse_args()


def build(options, compiler, kind, program):
    compilers = CXX if options.source.endswith("cpp") else CC
    must([compilers[compiler], "-O2", "-w", *KINDS[kind], "-I", os.path.dirname(__file__), "-Wl,--emit-relocs", options.source,
          "-o", program, *shlex.split(options.flags)])
    must([graupel_bolt(), program, "-instrument", "-o", program + ".inst",
          *shlex.split(options.bolt)])


def try_build(options, compiler, kind):
    program = f"{options.prefix}.{compiler}.{kind}"
    profile = program + ".inst.gprofile"
    if os.path.exists(profile):
        os.remove(profile)
    build(options, compiler, kind, program)
    ran = f"rm -f {profile}"
    expectations = list(options.expect)
    for text in options.args or [""]:
        command, said = run(options, program, shlex.split(text))
        ran += "; " + command
        expectations += said
    wrong = check(profile, expectations, options.runs)
    if wrong:
        raise Failure("\n  ".join(wrong), f"{ran}; graupel-bolt export {profile}")


def run(options, program, args):
    """Returns the command and what it said."""
    command = [program + ".inst", *args]
    expected = None if options.said else observe([program, *args], options.timeout)
    for _ in range(options.runs):
        got = observe(command, options.timeout)
        if got and options.said:
            expected = (0, got[1], b"")
        what = difference(expected, got)
        if what:
            raise Failure(what, shell(command))
    return shell(command), got[1].decode().split() if options.said else []


def main():
    options = arguments()
    failed = False
    for name in options.builds.split(","):
        compiler, kind = name.split(":")
        try:
            try_build(options, compiler, kind)
            print(f"{name}: exact")
        except Failure as failure:
            failed = True
            print(f"{name}: FAILED: {failure}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
