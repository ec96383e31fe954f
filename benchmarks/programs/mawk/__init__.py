# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mawk: an interpreter of stack code, regular expressions, hash tables, and splitting of fields."""

from bench.cache import checked, digest_of, need_tool
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.zstd import data

# kind: (seed, kibibytes)
SIZES = {"train": (83, 1200), "reference": (89, 20000), "quick": (97, 6000), "count": (101, 250)}


class Mawk(Program):
    name = "mawk"
    about = "mawk running text scripts"
    package = "mawk"

    def build(self, tree, work, target):
        # It builds inside its source tree only.
        checked(["cp", "-a", f"{tree}/.", work], what="copying mawk's source")
        checked(["sh", "./configure", "--disable-init-srand", "CC=gcc",
                 f"CFLAGS={' '.join(C_FLAGS)} -w", f"LDFLAGS={' '.join(LINK_FLAGS)}"], cwd=work,
                log=self.cache.root / "mawk-configure.log", what="configuring mawk")
        checked([need_tool("make", "make"), "mawk"], cwd=work,
                log=self.cache.root / "mawk-make.log", what="building mawk")
        checked(["cp", work / "mawk", target], what="copying mawk")

    def _file(self, kind):
        return self.cache.root / "data" / f"mawk-{kind}.txt"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, kibibytes) in SIZES.items():
            path = self._file(kind)
            self.cache.once(f"data-mawk-{kind}", digest_of(data.__file__, seed, kibibytes, kind),
                            [path], lambda p=path, k=kind, s=seed, n=kibibytes:
                            data.write_text(p, k, s, n * 1024), f"generating text ({kind})")

    def commands(self, kind):
        script = "train.awk" if kind == "train" else "reference.awk"
        return [["-f", self.here / script, self._file(kind)]]
