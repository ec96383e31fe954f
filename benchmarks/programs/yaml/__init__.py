# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""yaml-cpp: a parser of many small functions, reference-counted nodes, and exceptions for values
that do not convert and documents that do not parse.
"""

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.yaml import data

# kind: (seed, documents, rounds)
SIZES = {"train": (5, 60, 1), "reference": (17, 120, 14), "quick": (19, 120, 5),
         "count": (23, 80, 1)}


class Yaml(Program):
    name = "yaml"
    about = "yaml-cpp reading, converting and writing documents (C++, exceptions)"
    package = "yaml-cpp"
    compiler = ("g++", "g++")

    def build(self, tree, work, target):
        files = sorted((tree / "src").glob("*.cpp"))
        checked(["g++", *C_FLAGS, "-std=c++17", "-w", f"-I{tree / 'include'}", *files,
                 self.here / "driver.cpp", "-o", target, *LINK_FLAGS], what="compiling yaml-cpp")

    def _file(self, kind):
        return self.cache.root / "data" / f"yaml-{kind}.txt"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, documents, _) in SIZES.items():
            path = self._file(kind)
            self.cache.once(f"data-yaml-{kind}",
                            digest_of(self.here / "data.py", seed, documents, kind), [path],
                            lambda p=path, k=kind, s=seed, n=documents: data.write(p, k, s, n),
                            f"generating YAML ({kind})")

    def commands(self, kind):
        return [[self._file(kind), str(SIZES[kind][2])]]
