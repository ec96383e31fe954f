# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SQLite's own tests, run by its testfixture: the library with a Tcl interpreter
around it and many checks of its own."""

import re

from suite import C_FLAGS, LINK_FLAGS, Suite, Test, checked

# Those that run long, test the file system or simulate crashes are left out.
LEFT_OUT = re.compile(r"malloc|ioerr|fault|crash|bigfile|soak|thread|fuzz|lock|stress|permutations|"
                      r"^(all|full|quick|veryquick|extraquick|memleak|speed\w*|async\w*|"
                      r"walslow|main|tester|wal\w*|journal\w*|shell\w*|session|backcompat|"
                      r"mallocAll|fts4growth\w*|rowallock|vacuum5|sort\d|bestindex4|zerodamage)$")


class Sqlite(Suite):
    name = "sqlite"
    about = "SQLite's tests: the quick ones in Tcl"
    packages = ("sqlite3",)
    tools = (("tclsh", "tcl"),)
    program = "testfixture"
    every = 16

    def compile(self, trees):
        tree, = trees
        checked([tree / "configure", "--disable-shared", f"CFLAGS={' '.join(C_FLAGS)}",
                 f"LDFLAGS={' '.join(LINK_FLAGS)}"], cwd=self.folder,
                log=self.log("configure"), what="configuring sqlite (Debian package: tcl-dev)")
        self.make("testfixture", cwd=self.folder)

    def tests(self):
        folder = self.sources.tree("sqlite3") / "test"
        names = [p for p in sorted(folder.glob("*.test")) if not LEFT_OUT.search(p.stem)]
        for path in names[::self.stride]:
            yield Test(path.stem, [self.folder / self.program, path])

    stride = 4  # a fourth of the files, from all over the list

    def relevant(self, text):
        """What failed, and how many were run. Memory used, times and names of
        folders are no results."""
        lines = [line for line in text.splitlines()
                 if re.match(r"! |\d+ errors out of|!Failures", line)]
        return "\n".join(re.sub(r" on .*", "", line) for line in lines)
