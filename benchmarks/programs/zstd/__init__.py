# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The zstd command line: tight, well-predicted kernels, where a layout has little to win.

Kept in the set because an optimizer must also not lose where there is nothing to
gain. Data is generated from a fixed seed (see data.py); levels and kinds of data
differ between training and reference.
"""

import re

from bench.cache import checked, digest_of
from programs.base import C_FLAGS, LINK_FLAGS, Program
from programs.threads import THREADS
from programs.zstd import data

# kind: (seed, kibibytes, levels)
SIZES = {"train": (11, 700, (1, 5, 12)), "reference": (23, 6000, (3, 9, 16)),
         "quick": (29, 2500, (3, 7, 15)), "count": (31, 200, (3, 8, 16))}


class Zstd(Program):
    name = "zstd"
    about = "zstd compressing and decompressing generated files"
    package = "libzstd"
    call_intensive = False
    flags = ["-DZSTD_LEGACY_SUPPORT=0", "-DXXH_NAMESPACE=ZSTD_"]

    def build(self, tree, work, target):
        folders = ["lib/common", "lib/compress", "lib/decompress", "lib/dictBuilder", "programs"]
        files = [p for f in folders for p in sorted((tree / f).glob("*.[cS]"))]
        checked(["gcc", *C_FLAGS, *self.flags,
                 *(f"-I{tree / f}" for f in ("lib", "lib/common", "programs")),
                 *files, "-o", target, *LINK_FLAGS], cwd=work, what="compiling zstd")

    def _file(self, kind):
        return self.cache.root / "data" / f"zstd-{kind}.bin"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seed, kibibytes, _) in SIZES.items():
            path = self._file(kind)
            key = digest_of(self.here / "data.py", seed, kibibytes, kind)
            self.cache.once(f"data-zstd-{kind}", key, [path],
                            lambda p=path, k=kind, s=seed, n=kibibytes:
                            data.write(p, k, s, n * 1024),
                            f"generating zstd data ({kind})")

    def commands(self, kind):
        steps = []
        for level in SIZES[kind][2]:
            packed = f"level{level}.zst"
            steps.append(["-q", f"-{level}", self._file(kind), "-o", packed])
            steps.append(["-q", "-d", packed, "-o", f"level{level}.out"])
        return steps


class ZstdThreads(Zstd):
    """Worker threads compress the same jobs in any number of them."""
    name = "zstd-mt"
    about = "zstd compressing with one worker or eight"
    flags = [*Zstd.flags, "-DZSTD_MULTITHREAD", "-pthread"]
    # The kernels. How contexts are made and reused depends on who is free.
    shared = re.compile(r"ZSTD_compressBlock_|ZSTD_encodeSequences|ZSTD_seqToCodes|HUF_|FSE_|HIST_")

    def commands(self, kind):
        count = THREADS if kind == "many" else 1
        return [["-q", "-5", f"-T{count}", "-B512K", self._file("reference"), "-o", "packed.zst"]]
