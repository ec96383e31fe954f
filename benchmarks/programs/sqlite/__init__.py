# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SQLite's own speed test: a bytecode interpreter, a B-tree and a SQL compiler in one file.

In-memory databases keep the disk out of the measurement. The results of all
queries go to a file, which is compared; standard output carries timings.
"""

from bench.cache import checked, need_tool
from programs.base import C_FLAGS, LINK_FLAGS, Program

DEFINES = ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_ENABLE_RTREE"]


class Sqlite(Program):
    name = "sqlite"
    about = "speedtest1 over the SQLite amalgamation"
    package = "sqlite3"
    keep_stdout = False

    def build(self, tree, work, target):
        need_tool("tclsh", "tcl")
        checked([tree / "configure", "--disable-readline"], cwd=work,
                log=self.cache.root / "sqlite-configure.log", what="configuring sqlite")
        checked([need_tool("make", "make"), "sqlite3.c"], cwd=work,
                log=self.cache.root / "sqlite-make.log", what="making sqlite3.c")
        checked(["gcc", *C_FLAGS, *DEFINES, "-I", work, tree / "test" / "speedtest1.c",
                 work / "sqlite3.c", "-o", target, *LINK_FLAGS, "-lm"], what="compiling sqlite")

    def commands(self, kind):
        sets, size, extra = {
            "train": ("main,fp,cte", 4, ["--primarykey"]),
            "reference": ("main,orm,cte", 40, []),
            "quick": ("main,orm,cte", 12, []),
            "count": ("main,orm,cte", 1, []),
        }[kind]
        return [["--size", str(size), "--testset", sets, *extra,
                 "--memdb", "--verify", "--output", "results.txt"]]
