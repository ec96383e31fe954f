# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the family `dsm` compiles: programs as they are, checked, and checked for counting.

plain     without Graupel: dsm.h is the header's own implementation, -O3
bare      the same without that implementation, as an object file: the code of the program only
checked   through graupel-dsm.cfg, with the runtime
stores    the same without checks of loads; only for one node
polls     the same without checks; only for one node
table, sentinel, slow15
          each access checked by itself, as the published systems did
counted, counted-stores, counted-polls
          checked, stores and polls, but linked with micro/valid_runtime.c, under which all checks
          pass and which runs under valgrind: the instructions of the checks and nothing else
"""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from bench import execute, image
from bench.cache import checked, digest_of, need_tool
from bench.errors import BenchError

HERE = Path(__file__).resolve().parent.parent / "dsm"
INCLUDE = HERE.parent.parent / "runtime" / "include"
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O3", "-fno-math-errno", f"-I{INCLUDE}"]
LIBRARIES = ["-lm", "-pthread"]
MICRO_FOLDER = HERE / "micro"
# Options of checked code, by kind.
CHECKS = {"checked": [], "stores": ["stores"], "polls": ["none"], "table": ["table"],
          "sentinel": ["sentinel"], "slow15": ["slow15"]}
ABLATIONS = ("stores", "polls")
COUNTED = "counted"


@dataclass
class Program:
    """One of the nine, or a port. Options of its runs; `exact`: results have no rounding in them
    that depends on threads."""
    name: str
    reference: list = field(default_factory=list)   # timed
    count: list = field(default_factory=list)       # counted in the simulator
    exact: bool = True
    folder: str = "programs"

    @property
    def source(self):
        return HERE / self.folder / f"{self.name}.c"


# The published inputs (Schoinas 1998, 4.2), with so many steps that the phase takes a second on
# today's processors, and what happens once (first misses, processes that wait for each other)
# little of it. lu has no steps and gets a larger matrix.
PROGRAMS = {program.name: program for program in [
    Program("appbt", ["--size=published", "--steps=25"], ["--n=24"]),
    Program("barnes", ["--size=published", "--steps=8"], ["--n=2048"]),
    Program("em3d", ["--size=published", "--steps=600"], ["--nodes=32768", "--steps=20"]),
    Program("lu", ["--n=3072"], ["--n=384"]),
    Program("ocean", ["--size=published", "--steps=90"], ["--n=258"]),
    Program("moldyn", ["--size=published", "--steps=200"], ["--n=4000", "--steps=20"], False),
    Program("tomcatv", ["--size=published", "--steps=240"], ["--n=256", "--steps=20"]),
    Program("water-nsquared", ["--size=published", "--steps=32"], ["--n=1000"], False),
    Program("water-spatial", ["--size=published", "--steps=150"], ["--n=1000", "--steps=4"], False),
]}
# Written without knowledge of the checks; only their instructions are counted.
PORTS = {name: Program(name, count=["--size=small"], folder="ports") for name in [
    "radix", "fft", "cholesky", "raytrace", "fmm", "canneal", "cg"]}
MICRO = ("lengths", "streams", "fault", "remote", "homes")


class Builder:
    """Executables of all kinds, in the cache's folder `dsm`."""

    def __init__(self, build, cache, progress):
        build = build.resolve()     # Commands run in other folders.
        self.config = build / "share" / "graupel" / "graupel-dsm.cfg"
        self.launcher = build / "bin" / "graupel"
        self.cache, self.progress = cache, progress
        self.clang = need_tool("clang-22", "clang-22")

    def need_passes(self):
        if not self.config.exists():
            raise BenchError(f"{self.config} does not exist; build Graupel's passes first, or "
                             "name another build folder (--build)")

    def need_runtime(self):
        self.need_passes()
        if not self.launcher.exists():
            raise BenchError(f"{self.launcher} does not exist; build Graupel's distributed "
                             "memory first, or name another build folder (--build)")

    def _flags(self, kind):
        if kind == "plain":
            return ["-DGRAUPEL_DSM_SEQUENTIAL", *FLAGS]
        if kind == "bare":
            return FLAGS
        options = [o for c in CHECKS[kind] for o in ("-mllvm", f"-fgdsm-checks={c}")]
        return [f"--config={self.config}", *options, *FLAGS]

    def compile_only(self, source, kind, output):
        """Compiles to an object file; returns the compiler's Cost."""
        output.unlink(missing_ok=True)
        return execute.run([self.clang, *self._flags(kind), "-c", source, "-o", output],
                           output.parent, what=f"compiling {source.name} ({kind})")

    def executable(self, source, kind):
        """Builds; always, since what the passes do is what is measured."""
        target = self.cache.dir("dsm", kind) / source.stem
        self.progress.tick(f"building {source.stem} ({kind})")
        target.unlink(missing_ok=True)
        if kind.startswith(COUNTED):
            return self._counted(source, target, kind[len(COUNTED) + 1:] or "checked")
        checked([self.clang, *self._flags(kind), source, "-o", target, *LIBRARIES],
                what=f"building {source.name} ({kind})")
        return target

    def _counted(self, source, target, kind):
        code, runtime = target.with_suffix(".o"), target.with_suffix(".valid.o")
        self.compile_only(source, kind, code)
        checked([self.clang, *FLAGS, "-c", MICRO_FOLDER / "valid_runtime.c", "-o", runtime],
                what="building valid_runtime.c")
        checked([self.clang, code, runtime, "-o", target, *LIBRARIES],
                what=f"linking {source.name} (counted)")
        return target

    def control(self, plain):
        """A copy, which must cost the same."""
        target = self.cache.dir("dsm", "again") / plain.name
        shutil.copy2(plain, target)
        return target

    def peer(self):
        """UCX's own round trip."""
        source = MICRO_FOLDER / "ucx_pingpong.c"
        target = self.cache.dir("dsm", "peer") / source.stem
        key = digest_of(source)

        def make():
            checked([self.clang, *FLAGS, source, "-o", target, "-lucp", "-lucs"],
                    what="building ucx_pingpong.c (Debian package: libucx-dev)")

        self.cache.once("dsm-peer", key, [target], make, "building the peer")
        return target

    def code_size(self, object_file):
        return image.code_size(object_file)
