# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A C compiler linked from Debian's static clang libraries: 170 MB, a flat profile.

The program for which layout matters most: its hot code is far larger than any
first-level instruction cache. It compiles Lua for training and zstd for
reference. Linking takes seconds because nothing of LLVM is compiled.
"""

import subprocess
from pathlib import Path

from bench.cache import checked, digest_of, need_tool
from bench.errors import BenchError
from programs.base import LINK_FLAGS, Program

CLANG_LIBRARIES = [
    "Frontend", "Driver", "Options", "Parse", "Serialization", "Sema", "AnalysisLifetimeSafety",
    "Analysis", "Edit", "AST", "ASTMatchers", "APINotes", "Lex", "Support", "Basic", "CodeGen"]
LLVM_COMPONENTS = [
    "x86", "passes", "lto", "option", "coverage", "frontendopenmp", "frontendhlsl",
    "frontenddriver", "windowsdriver"]
CONFIG = ("llvm-config-22", "llvm-22-dev")


def _config(*arguments):
    result = subprocess.run([need_tool(*CONFIG), *arguments], stdout=subprocess.PIPE, check=False,
                            text=True)
    if result.returncode != 0:
        raise BenchError(f"llvm-config-22 {' '.join(arguments)} failed")
    return result.stdout.split()


class Minicc(Program):
    name = "minicc"
    about = "a compiler made of Debian's static clang libraries, compiling C"
    compiler = ("clang++-22", "clang-22")
    exact_kind = "count"

    def build(self, tree, work, target):
        library_dir = _config("--libdir")[0]
        clang = [f"-lclang{name}" for name in CLANG_LIBRARIES]
        if not Path(library_dir, "libclangCodeGen.a").exists():
            raise BenchError("the static clang libraries are missing "
                             "(Debian package: libclang-22-dev)")
        need_tool("ld.lld-22", "lld-22")
        objects = []
        for name in ("minicc", "no_polly"):
            objects.append(work / f"{name}.o")
            checked(["clang++-22", "-std=c++17", "-O2", "-fno-rtti", *_config("--cppflags"),
                     f'-DMINICC_CLANG="{_config("--bindir")[0]}/clang"',
                     "-c", self.here / f"{name}.cpp", "-o", objects[-1]], what="compiling minicc")
        llvm = [flag for flag in _config("--link-static", "--libs", *LLVM_COMPONENTS)
                if "Polly" not in flag]
        checked(["clang++-22", "-fuse-ld=lld", *objects, f"-L{library_dir}",
                 "-Wl,--start-group", *clang, *llvm, "-Wl,--end-group",
                 *_config("--link-static", "--system-libs"), "-o", target, *LINK_FLAGS,
                 # A few archive members carry debug information valgrind cannot read.
                 "-Wl,--strip-debug"],
                what="linking minicc")

    def inputs(self):
        self.lua = self.sources.tree("lua5.4") / "src"
        self.zstd = self.sources.tree("libzstd") / "lib"

    def recipe_key(self):
        return digest_of(super().recipe_key(), _config("--version"))

    def commands(self, kind):
        if kind == "train":
            return [["-O2", "-DLUA_USE_POSIX", *sorted(self.lua.glob("l[a-l]*.c"))]]
        patterns = {
            "reference": ["common/*.c", "decompress/*.c", "dictBuilder/zdict.c"],
            "quick": ["common/*.c", "dictBuilder/zdict.c"],
            "count": ["common/[ef]*.c"],
        }[kind]
        files = [path for pattern in patterns for path in sorted(self.zstd.glob(pattern))]
        return [["-O2", "-DXXH_NAMESPACE=ZSTD_", f"-I{self.zstd}", f"-I{self.zstd}/common", *files]]
