# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the family `stride` compiles and runs.

plain     -O3 -g with clang-22 and flang-22
recorded  the same through graupel-stride.cfg

Programs that have a recipe for gcc (programs/) are built by it with stand-ins for gcc and g++.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

from bench import execute
from bench.cache import checked, digest_of, need_tool
from bench.errors import BenchError

HERE = Path(__file__).resolve().parent.parent / "stride"
FLAGS = ["-O3", "-g"]
COMPILERS = {".c": ("clang-22", "clang-22"), ".cpp": ("clang++-22", "clang-22"),
             ".F90": ("flang-22", "flang-22"), ".f": ("flang-22", "flang-22")}
# What recipes ask gcc for and this family does not want.
UNWANTED = "-O2|-g0|-fno-reorder-blocks-and-partition|-Wl,--emit-relocs"


class Builder:
    """Executables of both kinds, in the cache's folder `stride`."""

    def __init__(self, build, cache, progress):
        build = build.resolve()     # Commands run in other folders.
        self.config = build / "share" / "graupel" / "graupel-stride.cfg"
        self.graupel = build / "bin" / "graupel"
        self.cache, self.progress = cache, progress
        for path in (self.config, self.graupel, build / "lib" / "libgraupel-stride.so"):
            if not path.exists():
                raise BenchError(f"{path} does not exist; build Graupel first, or name another "
                                 "build folder (--build)")

    def flags(self, kind):
        return FLAGS if kind == "plain" else [f"--config={self.config}", *FLAGS]

    def compiler(self, source):
        return need_tool(*COMPILERS[Path(source).suffix])

    def compile(self, sources, kind, name, *options, plain=()):
        """Builds `sources` of one language, and objects of the C files `plain`, which are not
        recorded."""
        target = self.built(name, kind)
        self.progress.tick(f"building {name} ({kind})")
        target.unlink(missing_ok=True)
        objects = [target.with_name(f"{name}-{source.stem}.o") for source in plain]
        for source, output in zip(plain, objects):
            checked([self.compiler(source), *FLAGS, *(o for o in options if o.startswith("-D")),
                     "-c", source, "-o", output], what=f"building {source.name}")
        checked([self.compiler(sources[0]), *self.flags(kind), *options, *sources, *objects,
                 "-o", target, "-lm"], what=f"building {name} ({kind})")
        return target

    def stand_ins(self, kind):
        """Folder with a gcc and a g++ that are clang."""
        folder = self.cache.dir("stride", f"compilers-{kind}")
        for name, compiler in (("gcc", "clang-22"), ("g++", "clang++-22")):
            flags = " ".join(f"'{flag}'" for flag in self.flags(kind))
            script = folder / name
            script.write_text(
                "#!/bin/sh\nfor a; do\n  shift\n  case \"$a\" in\n"
                f"  {UNWANTED}) ;;\n  *) set -- \"$@\" \"$a\" ;;\n  esac\ndone\n"
                f"exec {need_tool(compiler, 'clang-22')} -w {flags} \"$@\"\n")
            script.chmod(0o755)
        return folder

    def by_recipe(self, program, kind):
        """A program of programs/, by its own recipe."""
        target = self.built(program.name, kind)
        tree = program.sources.tree(program.package) if program.package else None
        work = self.cache.fresh_dir("work", f"stride-{program.name}")
        self.progress.tick(f"building {program.name} ({kind})")
        target.unlink(missing_ok=True)
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{self.stand_ins(kind)}{os.pathsep}{path}"
        try:
            program.build(tree, work, target)
        finally:
            os.environ["PATH"] = path
        shutil.rmtree(work)
        return target

    def built(self, name, kind):
        return self.cache.dir("stride", kind) / name

    def peak(self):
        """A program that starts another and writes down its peak memory."""
        source, target = HERE / "peak.c", self.cache.dir("stride") / "peak"
        self.cache.once("stride-peak", digest_of(source), [target],
                        lambda: checked([self.compiler(source), "-O1", source, "-o", target],
                                        what="building peak.c"))
        return target

    def copy(self, binary):
        """A copy, which must cost the same."""
        target = self.cache.dir("stride", "again") / binary.name
        shutil.copy2(binary, target)
        return target

    def record(self, argv, output, scratch, options="", stdout=None):
        """Runs a recorded program; returns its Cost."""
        settings = [f"GRAUPEL_STRIDE_OUT={output}", f"GRAUPEL_STRIDE={options}"]
        return execute.run(["env", *settings, *argv], scratch, stdout,
                           what=f"recording {Path(str(argv[0])).name}")

    def report(self, record):
        """The report of a record, as JSON."""
        done = subprocess.run([self.graupel, "stride", "report", record, "--json"], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise BenchError(f"reporting {record.name} failed:\n  {done.stderr.strip()}")
        return json.loads(done.stdout)
