# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the family `stride` runs to measure the cost of recording: whole programs, and kernels.

A Subject is built in both kinds, runs commands in an empty folder and leaves a result, which must
be the same in all runs.
"""

import re
from dataclasses import dataclass
from typing import Callable

import programs
from bench import execute
from bench.errors import BenchError
from families import dsm_build
from families.stride_build import HERE
from programs.base import digest_tree, empty

WHOLE = ("lua", "zstd", "sqlite", "troff", "leveldb", "yaml")
PARALLEL = {"barnes": ["--n=4096", "--steps=2"], "ocean": ["--n=258", "--steps=20"],
            "water-nsquared": ["--n=1000", "--steps=2"]}
SHRUNK = {"barnes": ["--n=512", "--steps=1"], "ocean": ["--n=130", "--steps=2"],
          "water-nsquared": ["--n=216", "--steps=1"]}
# Linear equations with Debian's reference LAPACK, and what it needs of that.
FORTRAN = "lapack"
LAPACK = ["SRC/dgesv", "SRC/dgetrf", "SRC/dgetrf2", "SRC/dgetrs", "SRC/dlaswp", "SRC/ilaenv",
          "SRC/ieeeck", "SRC/iparmq", "INSTALL/dlamch", "BLAS/SRC/xerbla", "BLAS/SRC/idamax",
          "BLAS/SRC/dscal", "BLAS/SRC/dtrsm", "BLAS/SRC/dgemm", "BLAS/SRC/lsame"]
KERNELS = ("affine", "irregular")


@dataclass
class Subject:
    """`commands(kind)` of reference, quick and count: argument lists without the executable."""
    name: str
    build: Callable                 # (Builder, kind) -> Path
    commands: Callable
    result: Callable                # scratch -> text
    prepare: Callable = lambda: None


def _lines(scratch, pattern):
    """The lines of standard output that are a result."""
    text = (scratch / "stdout").read_text(errors="replace")
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        raise BenchError(f"no result in a program's output:\n  {text[-500:]}")
    return "\n".join(found)


def _by_recipe(name, context):
    program = programs.registry()[name](context.cache, context.sources, context.progress)

    def result(scratch):
        if not program.keep_stdout:
            (scratch / "stdout").unlink(missing_ok=True)
        return digest_tree(scratch)

    return Subject(name, lambda builder, kind: builder.by_recipe(program, kind),
                   program.commands, result, program.inputs)


def _shared_memory(name):
    """A program of dsm/, sequential."""
    source = dsm_build.HERE / "programs" / f"{name}.c"
    options = ["-std=c11", "-D_GNU_SOURCE", "-DGRAUPEL_DSM_SEQUENTIAL", "-fno-math-errno",
               f"-I{dsm_build.INCLUDE}", "-pthread"]
    return Subject(name, lambda builder, kind: builder.compile([source], kind, name, *options),
                   lambda kind: [SHRUNK[name] if kind == "count" else PARALLEL[name]],
                   lambda scratch: _lines(scratch, r"^result: .*$"))


def _lapack(context):
    def build(builder, kind):
        tree = context.sources.tree(FORTRAN)
        files = [tree / f"{name}.f" for name in LAPACK]
        return builder.compile([HERE / "programs" / "solve.F90", *files], kind, FORTRAN)

    orders = {"reference": "1600", "quick": "1000", "count": "250"}
    return Subject(FORTRAN, build, lambda kind: [[orders[kind]]],
                   lambda scratch: _lines(scratch, r"^sum .*$"))


def subject(name, context):
    """A whole program by its name."""
    if name in WHOLE:
        return _by_recipe(name, context)
    if name in PARALLEL:
        return _shared_memory(name)
    return _lapack(context)


def run(of, builder, binary, kind, scratch, options=None):
    """(user and system seconds, peak kilobytes, result) of a run; recorded if `options` are given."""
    empty(scratch)
    peaks, record = scratch.parent / "peaks", scratch.parent / f"{of.name}.gstride"
    peaks.unlink(missing_ok=True)
    time = 0.0
    for arguments in of.commands(kind):
        argv = [*execute.fixed_layout_prefix(), builder.peak(), peaks, binary, *arguments]
        if options is None:
            cost = execute.run(argv, scratch, scratch / "stdout", what=of.name)
        else:
            record.unlink(missing_ok=True)
            cost = builder.record(argv, record, scratch, options, scratch / "stdout")
        time += cost.user_time + cost.system_time
    return time, max(int(line) for line in peaks.read_text().split()), of.result(scratch)


def kernel_times(text):
    """{kernel: nanoseconds} of what a microbenchmark prints."""
    found = dict(re.findall(r"^(\S+) +(\d+)$", text, re.MULTILINE))
    return {name: float(value) for name, value in found.items()}


def kernel_source(name):
    path = HERE / "micro" / f"{name}.c"
    if not path.exists():
        raise BenchError(f"{path} does not exist")
    return path
