# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A configuration such as gcc-O2-lto-mold: compiler, level, features, linker.

Builds of packages decide on their flags themselves, each in its own way. So the
compilers that they find in PATH are wrappers:
 1. Features come first: what the package asks for (-fPIC, -shared) wins over them.
 2. The package's arguments follow.
 3. The level of optimization comes last and wins over the package's.
 4. A command that links also gets the linker and --emit-relocs, without which
    graupel-bolt could not move functions.
"""

import os
import shlex
import shutil

from bench.cache import need_tool
from bench.errors import BenchError

LINKERS = {"bfd": ("ld.bfd", "binutils"), "gold": ("ld.gold", "binutils"),
           "lld": ("ld.lld-22", "lld-22"), "mold": ("mold", "mold")}
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang-22", "clang++-22"),
             "musl": ("musl-gcc", "musl-gcc")}
PACKAGES = {"gcc": "gcc g++", "clang": "clang-22", "musl": "musl-tools"}
LEVELS = ("O0", "O1", "O2", "O3", "Os")
# Feature: flags of every command, flags of those that link.
FEATURES = {
    "lto": (["-flto"], []), "thinlto": (["-flto=thin"], []),
    "nopie": (["-fno-pie"], ["-no-pie"]), "pie": (["-fPIE"], ["-pie"]),
    "static": ([], ["-static"]), "cet": (["-fcf-protection"], []),
    "lazy": ([], ["-Wl,-z,lazy"]), "now": ([], ["-Wl,-z,now"]), "noplt": (["-fno-plt"], []),
    "gc": (["-ffunction-sections", "-fdata-sections"], ["-Wl,--gc-sections"]),
    "fp": (["-fno-omit-frame-pointer"], []),
    "clash": (["-fstack-clash-protection", "-fstack-protector-strong"], []),
    "split": (["-freorder-blocks-and-partition"], []),
}
NAMES = ("cc", "gcc", "clang", "c99", "c89"), ("c++", "g++", "clang++")

WRAPPER = """#!/bin/sh
# Links only if there is an input and nothing says otherwise.
link={link} input=
for argument; do
  case $argument in
    -c | -E | -S | -M | -MM | -r | -fsyntax-only) link= ;;
    -shared) [ "$link" ] && link={shared} ;;
    -*) ;;
    *) input=1 ;;
  esac
done
[ "$input" ] || link=
exec {compiler} {features} $link "$@" {level}
"""


class Toolchain:
    """The wrappers of one configuration, and the environment that finds them."""

    def __init__(self, config, folder):
        words = config.split("-")
        if len(words) < 3 or words[0] not in COMPILERS or words[1] not in LEVELS \
                or words[-1] not in LINKERS or set(words[2:-1]) - set(FEATURES):
            raise BenchError(f"unknown configuration {config}: COMPILER-LEVEL[-FEATURE...]-LINKER; "
                             f"compilers {' '.join(COMPILERS)}; levels {' '.join(LEVELS)}; "
                             f"features {' '.join(FEATURES)}; linkers {' '.join(LINKERS)}")
        self.config, self.folder = config, folder
        self.compiler, level, self.features, linker = words[0], words[1], words[2:-1], words[-1]
        self.level = f"-{level}"
        self.linker = linker
        self.linker_path = need_tool(*LINKERS[linker])

    def recipe(self):
        """What builds depend on."""
        return [WRAPPER, self.config, self.flags(0), self.flags(1)]

    def flags(self, link):
        words = [word for feature in self.features for word in FEATURES[feature][link]]
        if self.compiler == "clang":
            words.append("-Qunused-arguments")
        return words

    def make(self):
        """Writes the wrappers."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        # The driver asks for ld.NAME, or for ld if it knows no -fuse-ld (musl-gcc's specs).
        for name in ("ld", f"ld.{self.linker}"):
            (self.folder / name).symlink_to(self.linker_path)
        link = [f"-B{self.folder}", f"-fuse-ld={self.linker}", "-Wl,--emit-relocs", *self.flags(1)]
        shared = [word for word in link if word not in ("-static", "-pie", "-no-pie")]
        for names, program in zip(NAMES, COMPILERS[self.compiler]):
            real = need_tool(program, PACKAGES[self.compiler])
            for name in names:
                self.script(name, WRAPPER.format(
                    link=shlex.quote(" ".join(link)), shared=shlex.quote(" ".join(shared)),
                    compiler=real, features=shlex.join(self.flags(0)), level=self.level))
        # One Fortran compiler for all configurations.
        if shutil.which("gfortran") and self.compiler != "musl":
            self.script("gfortran", WRAPPER.format(
                link=shlex.quote(" ".join(link)), shared=shlex.quote(" ".join(shared)),
                compiler=need_tool("gfortran", "gfortran"), features="", level=self.level))
        if {"lto", "thinlto"} & set(self.features):
            for name in ("ar", "nm", "ranlib"):
                tool = f"gcc-{name}" if self.compiler == "gcc" else f"llvm-{name}-22"
                # gcc-ar looks for ar in PATH, and must not find this.
                self.script(name, f'#!/bin/sh\nPATH=${{PATH#*:}}\n'
                                  f'exec {need_tool(tool, "gcc or llvm-22")} "$@"\n')

    def script(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def environment(self):
        cc, cxx = ("clang", "clang++") if self.compiler == "clang" else ("gcc", "g++")
        return {"PATH": f"{self.folder}:{os.environ['PATH']}", "CC": cc, "CXX": cxx,
                "CFLAGS": self.level, "CXXFLAGS": self.level, "LDFLAGS": "",
                "LINKER": self.linker}
