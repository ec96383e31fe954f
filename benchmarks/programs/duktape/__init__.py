# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Duktape, an interpreter of JavaScript: a switch over bytecodes, and a stack of values that all
else goes through by small functions.
"""

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program


class Duktape(Program):
    name = "duktape"
    about = "the Duktape interpreter running JavaScript"
    package = "duktape"

    def recipe_key(self):
        return digest_of(super().recipe_key(), self.here / "main.c")

    def build(self, tree, work, target):
        # The hash of strings starts from an address, which would move the counts.
        source = (tree / "src" / "duktape.c").read_text()
        (work / "duktape.c").write_text(source.replace(
            "res->hash_seed = (duk_uint32_t) (duk_uintptr_t) res;", "res->hash_seed = 24593;"))
        checked(["gcc", *C_FLAGS, "-w", f"-I{tree / 'src'}", work / "duktape.c",
                 self.here / "main.c", "-o", target, *LINK_FLAGS, "-lm"], what="compiling duktape")

    def commands(self, kind):
        script, scale = {"train": ("train.js", 60), "reference": ("reference.js", 600),
                         "quick": ("reference.js", 250), "count": ("reference.js", 15)}[kind]
        return [[self.here / script, str(scale)]]
