# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The brotli command line: each quality has match finders of its own, made of one header."""

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.zstd import data

# kind: (seed, kibibytes, qualities)
SIZES = {"train": (61, 400, (2, 5, 11)), "reference": (67, 2000, (4, 7, 10)),
         "quick": (71, 900, (4, 7, 10)), "count": (73, 120, (4, 7, 10))}


class Brotli(Program):
    name = "brotli"
    about = "brotli compressing and decompressing generated files"
    package = "brotli"
    call_intensive = False

    def build(self, tree, work, target):
        files = [p for f in ("common", "dec", "enc", "tools")
                 for p in sorted((tree / "c" / f).glob("*.c"))]
        checked(["gcc", *C_FLAGS, "-w", f"-I{tree / 'c' / 'include'}", *files, "-o", target,
                 *LINK_FLAGS, "-lm"], cwd=work, what="compiling brotli")

    def _file(self, kind):
        return self.cache.root / "data" / f"brotli-{kind}.bin"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, kibibytes, _) in SIZES.items():
            path = self._file(kind)
            self.cache.once(f"data-brotli-{kind}", digest_of(data.__file__, seed, kibibytes, kind),
                            [path], lambda p=path, k=kind, s=seed, n=kibibytes:
                            data.write(p, k, s, n * 1024), f"generating brotli data ({kind})")

    def commands(self, kind):
        steps = []
        for quality in SIZES[kind][2]:
            packed = f"quality{quality}.br"
            steps.append(["-q", str(quality), self._file(kind), "-o", packed])
            steps.append(["-d", packed, "-o", f"quality{quality}.out"])
        return steps
