# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a test suite has to say of itself, so that run.py need not know any of them.

A suite builds one program with relocations, in a folder of its own, and names the
tests: commands that run the program from where it was built. Each runs in an empty
scratch folder unless it says otherwise.
"""

import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(HERE.parent / "tools")]
from bench.cache import checked, digest_of, need_tool

C_FLAGS = ["-O2", "-g0", "-fno-reorder-blocks-and-partition"]
LINK_FLAGS = ["-Wl,--emit-relocs"]


@dataclass
class Test:
    """One command and what it needs."""
    name: str
    command: list
    cwd: Path = None                           # scratch if none
    env: dict = field(default_factory=dict)
    copies: list = field(default_factory=list)  # folders that scratch gets copies of
    timeout: float = 300


class Suite:
    """Base of all suites."""
    name = ""
    about = ""
    packages = ()          # Debian source packages; the first one has the program
    tools = ()             # pairs: a program that is needed, its Debian package
    program = ""           # path in the folder where it is built
    every = 8              # each N-th test is a part of the training run
    jobs = os.cpu_count()  # tests that can run at a time

    def __init__(self, cache, sources):
        self.cache, self.sources = cache, sources
        self.folder = cache.root / "suites" / self.name

    def compile(self, trees):
        """Builds the program and whatever its tests need in self.folder, which is
        empty. `trees` are the sources of the packages, not to be written to."""
        raise NotImplementedError

    def tests(self):
        """All tests."""
        raise NotImplementedError

    def relevant(self, text):
        """The part of a test's output that says how it went."""
        return re.sub(r"0x[0-9a-f]+", "0x?", text)

    # The rest is the same for all.

    def prepare(self):
        """Builds once; the program as the linker made it is kept beside."""
        for tool, package in self.tools:
            need_tool(tool, package)
        trees = [self.sources.tree(package) for package in self.packages]

        def build():
            self.cache.fresh_dir("suites", self.name)
            self.compile(trees)
            shutil.copy2(self.folder / self.program, self.original)

        self.cache.once(f"suite-{self.name}", self.recipe_key(), [self.original], build,
                        f"building {self.name}")

    def recipe_key(self):
        module = Path(sys.modules[type(self).__module__].__file__)
        return digest_of(module, C_FLAGS, LINK_FLAGS)

    @property
    def original(self):
        return self.cache.dir("originals") / self.name

    def install(self, program):
        """Makes `program` the one that tests run. A new file: the old one may run."""
        target = self.folder / self.program
        fresh = target.with_name(target.name + ".new")
        shutil.copy2(program, fresh)
        os.replace(fresh, target)

    def log(self, step):
        return self.cache.dir("logs") / f"{self.name}-{step}.log"

    def make(self, *arguments, cwd):
        checked([need_tool("make", "make"), f"-j{os.cpu_count()}", *arguments], cwd=cwd,
                log=self.log("make"), what=f"building {self.name}")
