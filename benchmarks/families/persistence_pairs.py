# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of builds of one program, the profile being of the first and needed for the second."""

import contextlib
import shutil
from dataclasses import dataclass, field

import programs
from bench.cache import Cache, checked, need_tool
from bench.errors import BenchError
from bench.sources import Sources
from programs import base

# The release after the one whose sources the other families build.
NEXT = "trixie"


@dataclass
class Pair:
    """`change` is "release" (the program's next version), "flags" (compiled with others) or
    "stripped" (the next version, linked without relocations and stripped of its symbols)."""
    name: str
    program: str
    change: str
    flags: dict = field(default_factory=dict)       # of the new build, instead of ...


PAIRS = [
    *(Pair(name, name, "release")
      for name in ("lua", "sqlite", "zstd", "yaml", "perl", "redis")),
    # The matching was not developed with these.
    *(Pair(name, name, "release") for name in ("expat", "mawk", "lz4", "brotli", "jq")),
    Pair("lua -O3", "lua", "flags", {"-O2": "-O3"}),
    Pair("zstd -O3", "zstd", "flags", {"-O2": "-O3"}),
    Pair("lua stripped", "lua", "stripped"),
    Pair("zstd stripped", "zstd", "stripped"),
    Pair("sqlite stripped", "sqlite", "stripped"),
]


@contextlib.contextmanager
def compiled_with(flags, relocations):
    """Other flags for all recipes."""
    kept = list(base.C_FLAGS), list(base.LINK_FLAGS)
    base.C_FLAGS[:] = [flags.get(flag, flag) for flag in base.C_FLAGS]
    if not relocations:
        base.LINK_FLAGS.clear()
    try:
        yield
    finally:
        base.C_FLAGS[:], base.LINK_FLAGS[:] = kept


@dataclass
class Build:
    """One side of a pair. `named` is the same code with symbols and relocations, `plain` the file
    before it was stripped."""
    program: object
    file: object
    named: object
    plain: object


def _side(pair, context, cache, release, flags, relocations):
    cls = programs.select([pair.program], [])[0]
    program = cls(cache, Sources(cache, release), context.progress)
    program.inputs()
    with compiled_with(flags, relocations):
        file = program.baseline()
    return Build(program, file, file, file)


def _stripped(pair, context, linked):
    """The build `linked` as distributions ship it. It cannot be instrumented, so the truth comes
    from `linked`, which has the same code."""
    cache = Cache(context.cache.root / f"{NEXT}-plain", context.progress)
    _share_downloads(Cache(context.cache.root / NEXT, context.progress), cache)
    plain = _side(pair, context, cache, NEXT, {}, False).file
    if functions(plain) != functions(linked.named):
        raise BenchError(f"{pair.name}: keeping relocations moves functions, so nothing can be "
                         "compared")
    bare = cache.dir("stripped") / plain.name
    shutil.copy(plain, bare)
    checked([need_tool("strip", "binutils"), "-s", bare], what="stripping")
    return Build(linked.program, bare, linked.named, plain)


def builds(pair, context):
    """(old, new) of a pair, built at most once."""
    old = _side(pair, context, context.cache, None, {}, True)
    if pair.change == "flags":
        cache = Cache(context.cache.root / "flags" / pair.name.replace(" ", ""), context.progress)
        _share_downloads(context.cache, cache)
        return old, _side(pair, context, cache, None, pair.flags, True)
    cache = Cache(context.cache.root / NEXT, context.progress)
    new = _side(pair, context, cache, NEXT, {}, True)
    return old, _stripped(pair, context, new) if pair.change == "stripped" else new


def _share_downloads(source, target):
    downloads = target.root / "downloads"
    if not downloads.exists():
        source.dir("downloads")
        downloads.symlink_to(source.root / "downloads")


def functions(file):
    """{address: [names]} of the functions of a file with symbols."""
    text = checked([need_tool("nm", "binutils"), file], what=f"reading the symbols of {file.name}")
    result = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tTwW":
            result.setdefault(int(words[0], 16), []).append(words[2])
    return result
