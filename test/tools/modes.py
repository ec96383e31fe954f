#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a program, rewrites it in every mode, hot-cold optimization of blocks at
random among them, and fails where a result behaves unlike the original or is refused.

  modes.py SOURCE... --out PREFIX [--compiler clang] [--flags FLAGS] [--library SOURCE]

The program runs without arguments. -verify looks at every output. With --library it is
the library that is rewritten. The last line is "N passed, N failed".
"""
import argparse
import os
import shlex
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from optimizer import Failure, difference, instrument, must, observe, shell, graupel_bolt

HCO = ["-hco", "-hco-growth=1000"]
# Options by mode, and whether there is a profile.
MODES = {
    "profile": (True, []),
    "plain": (False, []),
    "spike": (True, ["-layout=spike", "-cold-share=50"]),
    "stress": (False, ["-stress-layout=3"]),
    "hco": (True, HCO),
    **{f"random-{seed}": (True, [*HCO, f"-hco-random={seed}"]) for seed in (1, 2, 3)},
    "invert": (True, [*HCO, "-hco-invert"]),
}


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("sources", nargs="+")
    p.add_argument("--out", required=True, metavar="PREFIX")
    p.add_argument("--compiler", default="gcc")
    p.add_argument("--flags", default="-O2", metavar="FLAGS")
    p.add_argument("--library", metavar="SOURCE", help="made a library, which is rewritten")
    p.add_argument("--library-flags", default="", metavar="FLAGS")
    p.add_argument("--options", default="", metavar="OPTIONS", help="of graupel-bolt, in each mode")
    return p.parse_args()


def build(args):
    """The program, and the place of what is rewritten: its library or itself."""
    program, original = f"{args.out}.program", f"{args.out}.original"
    command = [args.compiler, "-w", *shlex.split(args.flags), "-Wl,--emit-relocs"]
    if not args.library:
        must([*command, *args.sources, "-o", program])
        shutil.copy(program, original)
        return program, program
    library = f"{args.out}.so"
    must([*command, "-fPIC", "-shared", *shlex.split(args.library_flags), args.library,
          "-o", library])
    must([*command, *args.sources, library, "-o", program])
    shutil.copy(library, original)
    return program, library


def main():
    args = arguments()
    program, place = build(args)
    original = f"{args.out}.original"
    run = lambda: observe([program], timeout=20)
    expected = run()
    passed = failed = 0
    profile = f"{args.out}.gprofile"
    for mode, (is_trained, options) in {"instrumented": (False, None), **MODES}.items():
        output = f"{args.out}.{mode}"
        try:
            if options is None:
                instrument(original, output, profile, ["-verify", *shlex.split(args.options)])
                command = ["instrumented"]
            else:
                command = [graupel_bolt(), original, "-o", output, "-verify", *options,
                           *shlex.split(args.options),
                           *([f"-data={profile}"] if is_trained else [])]
                must(command)
            shutil.copy(output, place)
            wrong = difference(expected, run())
            if wrong:
                raise Failure(f"{mode}: {wrong}", shell(command))
            passed += 1
        except Failure as failure:
            failed += 1
            print(f"FAILED: {failure}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
