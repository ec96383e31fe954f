#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a program in several ways, optimizes each with every layout, and
fails where an optimized program behaves unlike the original.

  differential.py SOURCE... --out PREFIX --train ARGS --test ARGS [--test ARGS...]

For each compiler and each set of flags: compile (keeping relocations),
instrument, run with the --train arguments, optimize with each layout and with a
scrambled profile, and compare exit status and output for each set of --test
arguments (different ones, so that code the profile calls cold runs).

Every failure is printed with a command that reproduces it; the last line is
"N passed, N failed". Files are left at PREFIX.*.

GRAUPEL_TEST_SHIPPED=symbols or =stripped in the environment links all programs as
they are shipped, so that graupel-bolt makes copies beside the originals.
"""
import argparse
import os
import shlex
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from optimizer import (BASIC_LAYOUTS, LAYOUTS, Failure, difference, export_text,
                       functions_recovered, functions_split, instrument, must,
                       observe, optimize, scramble, shell)


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("sources", nargs="+")
    p.add_argument("--out", required=True, metavar="PREFIX")
    p.add_argument("--train", default="", metavar="ARGS",
                   help="arguments of the training run (default: none)")
    p.add_argument("--test", action="append", metavar="ARGS",
                   help="arguments of a run that is compared (default: those of --train)")
    p.add_argument("--compilers", default="gcc,clang",
                   help="of gcc and clang (default: both)")
    p.add_argument("--flags", action="append", metavar="FLAGS",
                   help="one way to compile; may be repeated (default: -O2)")
    p.add_argument("--libs", default="", metavar="FLAGS", help="put behind the sources")
    p.add_argument("--library", metavar="SOURCE",
                   help="built as a shared library, which is optimized too; the "
                        "program finds it by $LIBRARY and is linked with it unless "
                        "--dlopen is given")
    p.add_argument("--dlopen", action="store_true")
    p.add_argument("--profile-from", metavar="FLAGS",
                   help="train a program compiled with these flags instead, for "
                        "programs that cannot be instrumented")
    p.add_argument("--layouts", choices=("all", "basic"), default="all")
    p.add_argument("--options", default="", metavar="OPTIONS",
                   help="more options for each run of graupel-bolt")
    p.add_argument("--must-split", type=int, default=1, metavar="N",
                   help="fail unless the spike layout splits N functions, so that "
                        "the test tests something (default: 1)")
    p.add_argument("--recovers", type=int, metavar="N",
                   help="fail unless exactly N functions are understood that llvm-bolt "
                        "does not understand (default: any number)")
    p.add_argument("--scrambles", type=int, default=2, metavar="N",
                   help="lying profiles to try (default: 2)")
    args = p.parse_args()
    args.shipped = os.environ.get("GRAUPEL_TEST_SHIPPED", "")
    if args.shipped:  # What is understood and split is said of functions that move.
        args.must_split, args.recovers = 0, None
    return args


# How a program is linked, by what is left in it.
LINKED = {"": ["-Wl,--emit-relocs"], "symbols": [], "stripped": ["-s"]}


class Case:
    """One way to compile the program."""

    def __init__(self, args, compiler, flags):
        self.args = args
        self.name = f"{compiler} {' '.join(flags)}"
        self.compiler = compiler
        self.flags = flags
        letters = "".join(c if c.isalnum() else "_" for c in self.name)
        self.prefix = f"{args.out}.{letters}"
        self.env = {}
        self.results = []

    def compile(self, sources, output, flags):
        cxx = any(s.endswith(".cpp") for s in sources)
        driver = {"gcc": "g++" if cxx else "gcc",
                  "clang": "clang++" if cxx else "clang"}[self.compiler]
        must([driver, "-w", *flags, *LINKED[self.args.shipped], *sources, "-o", output,
              *shlex.split(self.args.libs)])

    def build(self):
        """The program, and its library if there is one; returns what to optimize:
        pairs of a name and a file."""
        program = f"{self.prefix}.exe"
        link = []
        files = [("program", program)]
        if self.args.library:
            library = f"{self.prefix}.so"
            self.compile([self.args.library], library,
                         [*self.flags, "-fPIC", "-shared", f"-Wl,-soname,{library}"])
            files.append(("library", library))
            self.env["LIBRARY"] = library
            if not self.args.dlopen:
                link = [library]
        self.compile([*self.args.sources, *link], program, self.flags)
        self.program = program
        return files

    def run(self, program, test_args, replaced=None):
        """Runs with one file replaced: the library under its own name, since that
        is how the program finds it."""
        command = [program, *shlex.split(test_args)]
        if not replaced:
            return observe(command, 30, self.env), shell(command, self.env)
        original, optimized = replaced
        os.rename(original, original + ".original")
        try:
            os.link(optimized, original)
            return (observe(command, 30, self.env),
                    shell(["ln", "-f", optimized, original]) + " && "
                    + shell(command, self.env))
        finally:
            os.replace(original + ".original", original)

    def train(self, what, file):
        profile = f"{self.prefix}.{what}.gprofile"
        instrumented = f"{self.prefix}.{what}.instrumented"
        if self.args.profile_from is not None:
            file = f"{self.prefix}.to-train"
            self.compile(self.args.sources, file, shlex.split(self.args.profile_from))
        instrument(file, instrumented, profile)
        if what == "library":
            seen, command = self.run(self.program, self.args.train, (file, instrumented))
        else:
            seen, command = self.run(instrumented, self.args.train)
        if not os.path.exists(profile):
            raise Failure(f"the instrumented {what} wrote no profile", command)
        # As text, which can be scrambled, and belongs to no build-id.
        text = f"{self.prefix}.{what}.fdata"
        export_text(profile, text)
        return text

    def check(self):
        tests = self.args.test or [self.args.train]
        files = self.build()
        expected = {t: self.run(self.program, t)[0] for t in tests}
        again = {t: self.run(self.program, t)[0] for t in tests}
        if None in expected.values() or expected != again:
            raise Failure("the original does not end or is not deterministic",
                          shell([self.program]))
        for what, file in files:
            profile = self.train(what, file)
            layouts = dict(BASIC_LAYOUTS if self.args.layouts == "basic" else LAYOUTS)
            if self.args.shipped == "stripped":
                del layouts["none"]  # Copies nothing, and wants names.
            if self.args.shipped:  # By default not all functions are worth a copy.
                layouts = {name: options if name in ("graupel", "none") else [*options, "-copies=always"]
                           for name, options in layouts.items()}
            runs = [(name, profile, options) for name, options in layouts.items()]
            for seed in range(1, self.args.scrambles + 1):
                lie = f"{self.prefix}.{what}.scrambled{seed}.fdata"
                scramble(profile, lie, seed)
                layout = ("spike", "graupel")[seed % 2]
                runs.append((f"{layout}, scrambled with seed {seed}", lie,
                             [f"-layout={layout}"]))
            for name, data, options in runs:
                self.attempt(f"{what}, {name}", lambda: self.compare(
                    what, file, data, name, options, expected))

    def compare(self, what, file, profile, name, options, expected):
        letters = "".join(c if c.isalnum() else "_" for c in name)
        optimized = f"{self.prefix}.{what}.{letters}"
        options = [*options, *shlex.split(self.args.options)]
        messages = optimize(file, optimized, profile, options)
        command = shell(["graupel-bolt", file, "-o", optimized, f"-data={profile}",
                         *options])
        if name == "spike" and functions_split(messages) < self.args.must_split:
            raise Failure(f"split {functions_split(messages)} functions, this test "
                          f"needs {self.args.must_split}", command)
        recovered = functions_recovered(messages)
        if name in BASIC_LAYOUTS and self.args.recovers not in (None, recovered):
            raise Failure(f"understood {recovered} more functions than llvm-bolt, this "
                          f"test wants {self.args.recovers}", command)
        for test_args, wanted in expected.items():
            if what == "library":
                seen, run = self.run(self.program, test_args, (file, optimized))
            else:
                seen, run = self.run(optimized, test_args)
            wrong = difference(wanted, seen)
            if wrong:
                raise Failure(f"with arguments '{test_args}': {wrong}",
                              f"{command} && {run}")
        # What failed stays to be looked at.
        os.remove(optimized)

    def attempt(self, name, action):
        try:
            action()
            self.results.append(True)
        except Failure as failure:
            self.results.append(False)
            print(f"FAILED: {self.name}: {name}: {failure}", flush=True)


def main():
    args = arguments()
    passed = failed = 0
    for compiler in args.compilers.split(","):
        for flags in args.flags or ["-O2"]:
            case = Case(args, compiler, shlex.split(flags))
            try:
                case.check()
            except Failure as failure:
                case.results.append(False)
                print(f"FAILED: {case.name}: {failure}", flush=True)
            passed += case.results.count(True)
            failed += case.results.count(False)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
