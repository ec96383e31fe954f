# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lz4 command line: a fast match finder, a slow one, and a decoder that is mostly copying."""

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.zstd import data

# kind: (seed, kibibytes, levels)
SIZES = {"train": (41, 900, (1, 4, 10)), "reference": (43, 9000, (2, 7, 12)),
         "quick": (47, 3000, (2, 7, 12)), "count": (53, 300, (2, 7, 12))}


class Lz4(Program):
    name = "lz4"
    about = "lz4 compressing and decompressing generated files"
    package = "lz4"
    call_intensive = False

    def build(self, tree, work, target):
        files = [p for f in ("lib", "programs") for p in sorted((tree / f).glob("*.c"))]
        checked(["gcc", *C_FLAGS, "-w", "-DXXH_NAMESPACE=LZ4_", f"-I{tree / 'lib'}",
                 f"-I{tree / 'programs'}", *files, "-o", target, *LINK_FLAGS, "-lpthread"],
                cwd=work, what="compiling lz4")

    def _file(self, kind):
        return self.cache.root / "data" / f"lz4-{kind}.bin"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, kibibytes, _) in SIZES.items():
            path = self._file(kind)
            self.cache.once(f"data-lz4-{kind}", digest_of(data.__file__, seed, kibibytes, kind),
                            [path], lambda p=path, k=kind, s=seed, n=kibibytes:
                            data.write(p, k, s, n * 1024), f"generating lz4 data ({kind})")

    def commands(self, kind):
        steps = []
        for level in SIZES[kind][2]:
            packed = f"level{level}.lz4"
            steps.append(["-q", f"-{level}", self._file(kind), packed])
            steps.append(["-q", "-d", packed, f"level{level}.out"])
        return steps
