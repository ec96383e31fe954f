# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Perl's core tests (t/): each file prints numbered results."""

import re

from suite import C_FLAGS, LINK_FLAGS, Suite, Test, checked

FOLDERS = ("base", "bigmem", "class", "cmd", "comp", "io", "lib", "mro", "op", "opbasic", "re",
           "uni")
# Minutes each, sockets, or the terminal.
LEFT_OUT = {"re/uniprops", "re/fold_grind", "op/alarm", "io/socket", "io/socketpair",
            "re/speed", "op/sleep"}


class Perl(Suite):
    name = "perl"
    about = "Perl's core tests, t/"
    packages = ("perl",)
    program = "perl"

    def compile(self, trees):
        checked(["cp", "-a", f"{trees[0]}/.", self.folder], what="copying perl's source")
        checked(["sh", "./Configure", "-des", "-Dcc=gcc", f"-Doptimize={' '.join(C_FLAGS)}",
                 f"-Aldflags={' '.join(LINK_FLAGS)}"], cwd=self.folder,
                log=self.log("configure"), what="configuring perl")
        self.make(cwd=self.folder)
        checked(["ln", "-sf", "../perl", "t/perl"], cwd=self.folder)

    def tests(self):
        top = self.folder / "t"
        for path in (p for f in FOLDERS for p in sorted((top / f).glob("*.t"))):
            name = str(path.relative_to(top).with_suffix(""))
            if name in LEFT_OUT or name.startswith(("re/uniprops", "re/fold_grind")):
                continue
            # What the first line says of switches is too late for some of them.
            first = path.open(encoding="latin-1").readline()
            switches = re.findall(r" (-\w+)", first) if first.startswith("#!") else []
            yield Test(name, ["./perl", "-I../lib", *switches, f"{name}.t"], cwd=top,
                       env={"PERL_CORE": "1", "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"})

    def relevant(self, text):
        return "\n".join(re.findall(r"^(?:not )?ok \d+|^\d+\.\.\d+", text, re.M))
