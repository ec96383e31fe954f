# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""redis-server under a bounded, pipelined load: an event loop, a parser and data structures.

The load comes from this process over a Unix socket in the scratch directory, so no
port is taken and nothing leaves the machine. Only the server is measured: its user
time comes from wait4 after SHUTDOWN. Replies are hashed and compared; commands
whose replies depend on a random hash seed are not used.
"""

import time

from bench import execute
from bench.cache import checked, need_tool
from bench.errors import BenchError
from programs.base import C_FLAGS, LINK_FLAGS, Program, Result, digest_tree, empty
from programs.redis import load

START_TIMEOUT_SECONDS = 120      # a simulator needs its time
SERVER = ["--port", "0", "--unixsocket", "s", "--save", "", "--appendonly", "no",
          "--daemonize", "no", "--io-threads", "1", "--enable-debug-command", "no"]


class Redis(Program):
    name = "redis"
    about = "redis-server answering a pipelined command mix"
    package = "redis"
    repeatable = False      # timers and the random hash seed

    def build(self, tree, work, target):
        checked(["cp", "-a", f"{tree}/.", work], what="copying redis's source")
        checked([need_tool("make", "make"), "-C", "src", "redis-server", "MALLOC=libc",
                 "OPTIMIZATION=-O2", "DEBUG=", f"REDIS_CFLAGS={' '.join(C_FLAGS[1:])}",
                 f"REDIS_LDFLAGS={' '.join(LINK_FLAGS)}"], cwd=work,
                log=self.cache.root / "redis-make.log", what="building redis")
        checked(["cp", work / "src" / "redis-server", target], what="copying redis")

    def run(self, binary, kind, scratch, prefix=()):
        batches = {"train": 60, "reference": 700, "quick": 250, "count": 25}[kind]
        mix = load.TRAINING if kind == "train" else load.REFERENCE
        empty(scratch)
        argv = [*execute.fixed_layout_prefix(), *prefix, binary, *SERVER]
        started = time.perf_counter()
        server = execute.spawn(argv, scratch)
        try:
            with load.Connection(scratch, server, START_TIMEOUT_SECONDS) as connection:
                replies = load.drive(connection, mix, batches)
                connection.shut_down()
        except (OSError, load.LoadError) as error:
            server.kill()
            execute.reap(server, started)
            raise BenchError(f"redis ({kind}): {error}") from error
        status, cost = execute.reap(server, started)
        if status != 0:
            raise BenchError(f"redis ({kind}) ended with status {status}")
        empty(scratch)
        (scratch / "replies").write_text(replies)
        return Result(cost.user_time, digest_tree(scratch), cost.system_time)

    def commands(self, kind):
        """Only a description: the load is not a command line (see run)."""
        return [[*SERVER, kind]]
