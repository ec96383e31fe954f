# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instruction and I-cache-miss counts from valgrind's cachegrind.

A machine without performance counters can still count, and a simulator gives the
same figure on every machine. The simulated first-level instruction cache is
32 KiB, 8-way, 64-byte lines (a common real one) and is given explicitly, as are
the other levels, so that the host's own caches play no part. Without caches it is three times
as fast. The instructions are the same as callgrind's.
"""

import re
import shutil
from dataclasses import dataclass

from .cache import need_tool
from .errors import BenchError

CACHES = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"]
# The instruction cache's lines as pages: a TLB of 64 entries.
TLB = ["--I1=262144,4,4096", *CACHES[1:]]
PATTERNS = {"instructions": re.compile(r"I\s+refs:\s+([\d,]+)"),
            "icache_misses": re.compile(r"I1\s+misses:\s+([\d,]+)")}


@dataclass
class Counts:
    """Totals over all processes of a workload."""
    instructions: int
    icache_misses: int = 0          # none where caches were not simulated


def parse(text, simulate_caches=True):
    """Counts from one cachegrind summary."""
    found = {}
    for name, pattern in PATTERNS.items():
        if name == "icache_misses" and not simulate_caches:
            continue
        match = pattern.search(text)
        if match is None:
            raise BenchError(f"cachegrind printed no {name}:\n{text[-800:]}")
        found[name] = int(match.group(1).replace(",", ""))
    return Counts(**found)


def measure(program, binary, kind, scratch, simulate_caches=True, caches=CACHES,
            before=()):
    """Run a workload under cachegrind, which `before` starts; returns (Result, Counts). What is
    replaced by execve does not count, but what it becomes."""
    logs = scratch.parent / "cachegrind-logs"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    prefix = [*before, need_tool("valgrind", "valgrind"), "--tool=cachegrind", "--trace-children=yes",
              "--cachegrind-out-file=/dev/null", f"--log-file={logs}/%p"]
    prefix += ["--cache-sim=yes", *caches] if simulate_caches else ["--cache-sim=no"]
    result = program.run(binary, kind, scratch, prefix)
    parts = [parse(path.read_text(errors="replace"), simulate_caches) for path in logs.iterdir()]
    if not parts:
        raise BenchError(f"cachegrind left no log for {program.name}")
    return result, Counts(sum(p.instructions for p in parts), sum(p.icache_misses for p in parts))
