# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lua 5.1 with its official tests. Debian has them in the source of a Lua in Go,
which took them over, and added some; those that do not work outside of it fail with
the original, too."""

import re

from suite import C_FLAGS, LINK_FLAGS, Suite, Test, checked


class Lua(Suite):
    name = "lua"
    about = "Lua 5.1's official tests"
    packages = ("lua5.1", "golang-github-yuin-gopher-lua")
    program = "lua"
    every = 5
    folders = ("_lua5.1-tests", "_glua-tests")

    def compile(self, trees):
        source, others = trees
        files = sorted((source / "src").glob("*.c"))
        # luac has a main of its own.
        files = [p for p in files if p.name not in ("luac.c", "print.c")]
        checked(["gcc", *C_FLAGS, "-DLUA_USE_POSIX", "-DLUA_USE_DLOPEN", *files, "-o",
                 self.folder / self.program, *LINK_FLAGS, "-Wl,-E", "-lm", "-ldl"],
                cwd=self.folder, what="compiling lua")
        for name in self.folders:
            checked(["cp", "-a", others / name, self.folder])

    def tests(self):
        for name in self.folders:
            folder = self.folder / name
            for path in sorted(folder.glob("*.lua")):
                yield Test(f"{name.strip('_')}/{path.name}",
                           [self.folder / self.program, path.name],
                           copies=[folder], env={"LUA_PATH": "?;./?.lua"})

    def relevant(self, text):
        return re.sub(r"[\d.]+ sec", "? sec", super().relevant(text))
