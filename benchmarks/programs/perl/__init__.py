# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Perl interpreter: large opcode functions, a regular-expression engine, hashes.

miniperl is the complete interpreter without the compiled extension modules, which
the scripts do not use; it builds in about a minute and a half.
"""

from bench.cache import checked, need_tool
from programs.base import C_FLAGS, LINK_FLAGS, Program

# Script and scale of each kind of workload.
SCRIPTS = {"train": ("train.pl", 30), "reference": ("reference.pl", 200),
           "quick": ("reference.pl", 70), "count": ("reference.pl", 10)}


class Perl(Program):
    name = "perl"
    about = "miniperl running text, hash and object scripts"
    package = "perl"

    def build(self, tree, work, target):
        # Perl builds inside its source tree only.
        checked(["cp", "-a", f"{tree}/.", work], what="copying perl's source")
        checked(["sh", "./Configure", "-des", "-Dcc=gcc", f"-Doptimize={' '.join(C_FLAGS)}",
                 f"-Aldflags={' '.join(LINK_FLAGS)}"], cwd=work,
                log=self.cache.root / "perl-configure.log", what="configuring perl")
        checked([need_tool("make", "make"), "miniperl"], cwd=work,
                log=self.cache.root / "perl-make.log", what="building perl")
        checked(["cp", work / "miniperl", target], what="copying perl")

    def commands(self, kind):
        script, scale = SCRIPTS[kind]
        return [[self.here / script, str(scale)]]
