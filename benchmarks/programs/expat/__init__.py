# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expat, an XML parser: a tokenizer that is compiled once for each encoding, and callbacks."""

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.expat import data

# kind: (seed, records, how often they are parsed)
SIZES = {"train": (3, 900, 12), "reference": (5, 1500, 160), "quick": (7, 1500, 50),
         "count": (11, 500, 6)}
CONFIG = """#define XML_NS 1
#define XML_DTD 1
#define XML_GE 1
#define XML_CONTEXT_BYTES 1024
#define BYTEORDER 1234
#define HAVE_MEMMOVE 1
#define HAVE_GETRANDOM 1
"""


class Expat(Program):
    name = "expat"
    about = "Expat parsing XML (C, callbacks)"
    package = "expat"

    def build(self, tree, work, target):
        (work / "expat_config.h").write_text(CONFIG)
        library = tree / "expat" / "lib"
        files = [library / f"{name}.c" for name in ("xmlparse", "xmlrole", "xmltok")]
        # Later versions have their sources of random numbers in files of their own.
        files += [p for p in [library / "random_getrandom.c"] if p.exists()]
        checked(["gcc", *C_FLAGS, "-w", f"-I{work}", f"-I{library}", *files,
                 self.here / "driver.c", "-o", target, *LINK_FLAGS, "-lm"],
                what="compiling expat")

    def recipe_key(self):
        return digest_of(super().recipe_key(), self.here / "driver.c")

    def _file(self, kind):
        return self.cache.root / "data" / f"expat-{kind}.xml"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, records, _) in SIZES.items():
            path = self._file(kind)
            self.cache.once(f"data-expat-{kind}",
                            digest_of(self.here / "data.py", seed, records, kind), [path],
                            lambda p=path, k=kind, s=seed, n=records: data.write(p, k, s, n),
                            f"generating XML ({kind})")

    def commands(self, kind):
        return [[self._file(kind), str(SIZES[kind][2]), "plain" if kind == "train" else "spaces"]]
