# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that do the same work whatever their number.

Workloads are `one` and `many` threads; `shared` tells the functions that must execute the
same in both.
"""

import re

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program

THREADS = 8
PARTS, STEPS = 16, 3_000_000


class Threads(Program):
    name = "threads"
    about = "a loop with an indirect call, in one thread or eight"
    shared = re.compile(r"part|halve|grow")
    # Each step of each part calls one of two functions by a pointer.
    known_calls = (re.compile(r"halve|grow"), PARTS * STEPS)

    def recipe_key(self):
        return digest_of(super().recipe_key(), self.here / "threads.c")

    def build(self, tree, work, target):
        checked(["gcc", *C_FLAGS, "-pthread", self.here / "threads.c", "-o", target, *LINK_FLAGS],
                what="compiling threads")

    def commands(self, kind):
        return [[str(PARTS), str(THREADS if kind == "many" else 1), str(STEPS)]]
