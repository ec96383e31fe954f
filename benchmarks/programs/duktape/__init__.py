# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Duktape, an interpreter of JavaScript: a switch over bytecodes, and a stack of values that all
else goes through by small functions.
"""

from bench.cache import checked, digest_of
from bench.errors import BenchError
from programs.base import C_FLAGS, LINK_FLAGS, Program

CONSTANTS = {
    "res->hash_seed = (duk_uint32_t) (duk_uintptr_t) res;": "res->hash_seed = 24593;",
    "res->rnd_state[0] = (duk_uint64_t) duk_time_get_ecmascript_time(res->heap_thread);":
        "res->rnd_state[0] = 24593;",
    "res->rnd_state[1] ^= tmp_u64;": ""}


class Duktape(Program):
    name = "duktape"
    about = "the Duktape interpreter running JavaScript"
    package = "duktape"

    def recipe_key(self):
        return digest_of(super().recipe_key(), self.here / "main.c")

    def build(self, tree, work, target):
        # The hash of strings starts from an address, and sorting from a pivot by the time, both
        # of which would move the counts.
        source = (tree / "src" / "duktape.c").read_text()
        for old, new in CONSTANTS.items():
            if old not in source:
                raise BenchError(f"{self.name}: this version has no \"{old}\"")
            source = source.replace(old, new)
        (work / "duktape.c").write_text(source)
        checked(["gcc", *C_FLAGS, "-w", f"-I{tree / 'src'}", work / "duktape.c",
                 self.here / "main.c", "-o", target, *LINK_FLAGS, "-lm"], what="compiling duktape")

    def commands(self, kind):
        script, scale = {"train": ("train.js", 60), "reference": ("reference.js", 600),
                         "quick": ("reference.js", 250), "count": ("reference.js", 15)}[kind]
        return [[self.here / script, str(scale)]]
