# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiler of one pass: parser, code generator and assembler call each other for each token.

It compiles Lua and the compressing half of zstd for training; Duktape, which is one large file,
and zstd's other half for reference. Object files are the result.
"""

from bench.cache import checked
from programs.base import C_FLAGS, LINK_FLAGS, Program

TRIPLET = "x86_64-linux-gnu"
CONFIG = f"""#define TCC_VERSION "bench"
#define CONFIG_TCCDIR "."
#define CONFIG_TRIPLET "{TRIPLET}"
#define GCC_MAJOR 12
#define GCC_MINOR 2
"""
TRAINING = ("compress",)
REFERENCE = ("decompress", "dictBuilder", "legacy")
# kind: how often everything is compiled
REPEAT = {"train": 1, "reference": 12, "quick": 4, "count": 1}


class Tcc(Program):
    name = "tcc"
    about = "the tiny C compiler, compiling Lua and zstd"
    package = "tcc"

    def build(self, tree, work, target):
        (work / "config.h").write_text(CONFIG)
        checked(["gcc", *C_FLAGS, "-w", "-DONE_SOURCE=1", "-I", work, "-I", tree, tree / "tcc.c",
                 "-o", target, *LINK_FLAGS, "-lm", "-ldl", "-lpthread"], what="compiling tcc")

    def inputs(self):
        self.tcc = self.sources.tree("tcc")
        self.lua = self.sources.tree("lua5.4") / "src"
        self.zstd = self.sources.tree("libzstd") / "lib"
        self.duktape = self.sources.tree("duktape") / "src" / "duktape.c"

    def _compile(self, flags, files):
        headers = [f"-I{self.tcc / 'include'}", f"-I/usr/include/{TRIPLET}"]
        return [[*headers, *flags, "-c", path, "-o", f"{path.stem}.o"] for path in files]

    def commands(self, kind):
        zstd = ["-DXXH_NAMESPACE=ZSTD_", "-DZSTD_DISABLE_ASM", f"-I{self.zstd}",
                f"-I{self.zstd / 'common'}"]
        folders = TRAINING if kind == "train" else REFERENCE
        files = [p for f in folders for p in sorted((self.zstd / f).glob("*.c"))]
        once = self._compile(zstd, files)
        if kind == "train":
            once += self._compile(["-DLUA_USE_POSIX"], sorted(self.lua.glob("l*.c")))
        else:
            once += (1 if kind == "count" else 3) * self._compile([], [self.duktape])
        return once * REPEAT[kind]
