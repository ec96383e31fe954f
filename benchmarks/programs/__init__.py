# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs under measurement: one folder each, with its recipe and its inputs."""

from bench.errors import BenchError


def registry():
    """All programs by name, in the order in which they are run."""
    from programs.brotli import Brotli
    from programs.duktape import Duktape
    from programs.expat import Expat
    from programs.jq import Jq
    from programs.leveldb import Leveldb
    from programs.lua import Lua
    from programs.lz4 import Lz4
    from programs.mawk import Mawk
    from programs.minicc import Minicc
    from programs.perl import Perl
    from programs.picosat import Picosat
    from programs.redis import Redis
    from programs.sqlite import Sqlite
    from programs.tcc import Tcc
    from programs.troff import Troff
    from programs.yaml import Yaml
    from programs.zstd import Zstd
    return {cls.name: cls for cls in (Sqlite, Lua, Zstd, Perl, Redis, Minicc,
                                      Duktape, Tcc, Leveldb, Troff, Yaml,
                                      Expat, Mawk, Lz4, Brotli, Jq, Picosat)}


def select(names, default, known=None):
    """Program classes for a --programs list, or the family's default; of those `known`."""
    known = known or registry()
    chosen = names or default
    for name in chosen:
        if name not in known:
            raise BenchError(f"unknown program '{name}' (known: {', '.join(known)})")
    return [known[name] for name in chosen]
