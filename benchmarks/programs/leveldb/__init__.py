# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LevelDB: a database in C++ whose iterators, comparators, caches and files are interfaces.

A third of its calls is virtual, one instruction in a hundred. All is in memory. Compactions
happen in the database's own thread, but only when the driver waits for them, so that the same is
executed each time.
"""

from bench.cache import checked
from programs.base import C_FLAGS, LINK_FLAGS, Program

FOLDERS = ("db", "table", "util", "helpers/memenv")
NOT_OURS = ("_test", "_windows", "testutil", "leveldbutil")


class Leveldb(Program):
    name = "leveldb"
    about = "LevelDB in memory: writes, reads, scans and compactions (C++, virtual calls)"
    package = "leveldb"
    compiler = ("g++", "g++")

    def build(self, tree, work, target):
        files = [p for f in FOLDERS for p in sorted((tree / f).glob("*.cc"))
                 if not any(word in p.stem for word in NOT_OURS)]
        checked(["g++", *C_FLAGS, "-std=c++17", "-DLEVELDB_PLATFORM_POSIX=1", "-pthread",
                 f"-I{tree}", f"-I{tree / 'include'}", *files, self.here / "driver.cpp",
                 "-o", target, *LINK_FLAGS], what="compiling leveldb")

    def commands(self, kind):
        load, scale = {"train": ("orders", 6), "reference": ("index", 140),
                       "quick": ("index", 50), "count": ("index", 8)}[kind]
        return [[load, str(scale)]]
