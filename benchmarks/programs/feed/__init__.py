# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An application of several images: a shell script starts a program of three linked libraries
(expat, zlib, SQLite), which opens a fourth (Lua) while it runs.

Records come as XML, are rated by a script, and go compressed into a database. Not one image has
most of the work, so a layout of some of them shows.
"""

import shutil

from bench.cache import checked, digest_of, need_tool
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.feed import data

# kind: (seed, records, rounds)
SIZES = {"train": (3, 1500, 3), "reference": (13, 1500, 20), "quick": (19, 1500, 6),
         "count": (29, 400, 1)}
START = """#!/bin/sh
# Starts the program beside this script.
here=$(dirname "$0")
rules=$1
shift
exec "$here/bin/feed" "$here/lib/librules.so" "$rules" "$@"
"""


class Feed(Program):
    name = "feed"
    about = "a script, a program and four libraries: expat, zlib, SQLite, and Lua, by dlopen"
    start = "start"
    images = ("bin/feed", "lib/libexpat.so", "lib/libz.so", "lib/libsqlite3.so", "lib/librules.so")

    def recipe_key(self):
        return digest_of(super().recipe_key(), START,
                         *(self.here / name for name in ("driver.c", "rules.c")))

    def baseline(self):
        """Path of the script; the images are beside it."""
        folder = self.cache.dir("programs", self.name)
        products = [folder / image for image in (self.start, *self.images)]

        def make():
            shutil.rmtree(folder)
            (folder / "bin").mkdir(parents=True)
            (folder / "lib").mkdir()
            work = self.cache.fresh_dir("work", self.name)
            self._libraries(folder / "lib", work)
            expat, zlib = self.sources.tree("expat"), self.sources.tree("zlib")
            self._compile("driver.c of feed", self.here / "driver.c", "-o", folder / "bin" / "feed",
                          f"-I{expat / 'expat' / 'lib'}", f"-I{zlib}", f"-I{work}", f"-L{folder / 'lib'}",
                          "-lexpat", "-lz", "-lsqlite3", "-Wl,-rpath,$ORIGIN/../lib")
            (folder / self.start).write_text(START)
            (folder / self.start).chmod(0o755)
            shutil.rmtree(work)

        self.cache.once(f"build-{self.name}", self.recipe_key(), products, make, "preparing feed")
        return folder / self.start

    def _compile(self, what, *arguments):
        checked(["gcc", *C_FLAGS, "-w", *arguments, *LINK_FLAGS], what=f"compiling {what}")

    def _libraries(self, folder, work):
        def library(name, files, *flags):
            self.progress.step(f"building lib{name}.so")
            self._compile(name, "-fPIC", "-shared", *files, *flags, f"-Wl,-soname,lib{name}.so",
                          "-o", folder / f"lib{name}.so", "-lm")

        expat, zlib, lua = (self.sources.tree(p) for p in ("expat", "zlib", "lua5.4"))
        library("expat", [expat / "expat" / "lib" / f"{n}.c" for n in ("xmlparse", "xmlrole", "xmltok")],
                "-DXML_DEV_URANDOM", "-DXML_CONTEXT_BYTES=1024", "-DXML_NS", "-DXML_DTD",
                "-DHAVE_MEMMOVE", "-DBYTEORDER=1234")
        library("z", sorted(zlib.glob("*.c")), "-D_LARGEFILE64_SOURCE=1", "-DHAVE_UNISTD_H")
        files = [p for p in sorted((lua / "src").glob("*.c")) if p.name not in ("lua.c", "luac.c")]
        # As in program `lua`: without a seed of its own it counts the same each time.
        library("rules", [*files, self.here / "rules.c"], f"-I{lua / 'src'}", "-std=gnu99",
                "-DLUA_USE_POSIX", "-Dluai_makeseed(L)=24593u")
        need_tool("tclsh", "tcl")
        checked([self.sources.tree("sqlite3") / "configure", "--disable-readline"], cwd=work,
                what="configuring sqlite")
        checked([need_tool("make", "make"), "sqlite3.c"], cwd=work, what="making sqlite3.c")
        library("sqlite3", [work / "sqlite3.c"], "-DSQLITE_THREADSAFE=0",
                "-DSQLITE_OMIT_LOAD_EXTENSION")

    def _file(self, kind):
        return self.cache.root / "data" / f"feed-{kind}.xml"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, records, _) in SIZES.items():
            path = self._file(kind)
            self.cache.once(f"data-feed-{kind}", digest_of(self.here / "data.py", seed, records, kind),
                            [path], lambda p=path, k=kind, s=seed, n=records: data.write(p, k, s, n),
                            f"generating XML ({kind})")

    def commands(self, kind):
        script = "train" if kind == "train" else "reference"
        return [[self.here / f"{script}.lua", self.here / f"{script}.sql", self._file(kind),
                 str(SIZES[kind][2])]]
