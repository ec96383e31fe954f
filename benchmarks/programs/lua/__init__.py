# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Lua interpreter: one hot dispatch loop and many small runtime functions around it."""

from bench.cache import checked
from programs.base import C_FLAGS, LINK_FLAGS, Program


class Lua(Program):
    name = "lua"
    about = "Lua 5.4 running call-intensive scripts"
    package = "lua5.4"

    def build(self, tree, work, target):
        files = [p for p in sorted((tree / "src").glob("*.c")) if p.name != "luac.c"]
        # Lua seeds its string hash with the time and an address, and sorts by a pivot
        # that depends on the time: each alone moves the counts from run to run.
        checked(["gcc", *C_FLAGS, "-std=gnu99", "-DLUA_USE_POSIX", "-DLUA_COMPAT_5_3",
                 "-Dluai_makeseed(L)=24593u", "-Dl_randomizePivot()=0u",
                 *files, "-o", target, *LINK_FLAGS, "-lm"], cwd=work, what="compiling lua")

    def commands(self, kind):
        script, scale = {"train": ("train.lua", 20), "reference": ("reference.lua", 240),
                         "quick": ("reference.lua", 80), "count": ("reference.lua", 6)}[kind]
        return [[self.here / script, str(scale)]]
