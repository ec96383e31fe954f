# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `dsm`: what was measured beside what was published and what we ask of ourselves.

A target is a row of the table: which of (Schoinas 1998)'s figures, his value, the bound (none for
what is only reported), and a function from rows to our value. What was not measured in a run
says so.
"""

from dataclasses import dataclass
from typing import Callable

from bench.stats import geometric_mean
from bench.table import grid
from families.dsm_build import PROGRAMS

STREAMING = ("copy", "axpy", "stencil")
OVERHEAD, COUNTED = "check overhead", "check instructions"


@dataclass
class Target:
    label: str
    what: str
    published: str
    bound: float | None
    measured: Callable          # {(metric, program): Row} -> number, or None
    above: bool = False         # the bound is the least, not the most
    unit: str = ""


def _of(metric, pick, attribute="ratio"):
    """pick() of a metric's ratios over all programs."""
    def measured(rows):
        values = [getattr(row, attribute) for (name, _), row in rows.items() if name == metric]
        return pick(values) if values else None
    return measured


def _one(metric, program, attribute="ratio"):
    def measured(rows):
        row = rows.get((metric, program))
        return None if row is None else getattr(row, attribute)
    return measured


def _streams(kernels, pick, metric="streaming"):
    def measured(rows):
        values = [rows[metric, k].ratio for k in kernels if (metric, k) in rows]
        return pick(values) if len(values) == len(kernels) else None
    return measured


def _inverse(of):
    def measured(rows):
        value = of(rows)
        return None if not value else 1 / value
    return measured


def _quotient(of, by):
    def measured(rows):
        value, divisor = of(rows), by(rows)
        return None if value is None or not divisor else value / divisor
    return measured


def _sixth_best(ratios):
    """The speed-up that six programs reach."""
    return 1 / sorted(ratios)[5] if len(ratios) >= 6 else None


def _mean(metric):
    """Over the nine programs; ports have a bar of their own."""
    def measured(rows):
        values = [rows[metric, p].ratio for p in PROGRAMS if (metric, p) in rows]
        return geometric_mean(values) if values else None
    return measured


# Ratios are ours to the peer's.
TARGETS = [
    Target("R1", "check of a load by the tag, instructions", "5", 4,
           _one("check length[table]", "load word", "value")),
    Target("R1", "check of a load by the value, instructions", "3", 2,
           _one("check length[sentinel]", "load word", "value")),
    Target("R1", "check of a store, instructions", "5", 4,
           _one("check length[table]", "store word", "value")),
    Target("R1", "check of a load through a table of routines, instructions", "15", None,
           _one("check length[table]", "load word", "peer_value")),
    Target("R2", "check overhead, geometric mean", "1.72", 1.10, _mean(OVERHEAD)),
    Target("R2", "check overhead, worst", "2.22", 1.25, _of(OVERHEAD, max)),
    Target("R2", "instructions of checks and polls, geometric mean", "", 1.10, _mean(COUNTED)),
    Target("", "instructions of checks and polls of seven ports, geometric mean", "", 1.15,
           _one(f"{COUNTED}, geometric mean", "ports")),
    Target("R2", "streaming loops, worst", "", 1.05, _streams(STREAMING, max)),
    Target("R2", "matrix product in the first cache", "", 1.3, _streams(["matmul-l1"], max)),
    Target("", "compile time, geometric mean", "", 1.5, _mean("compile time")),
    Target("", "code size, geometric mean", "", 1.5, _mean("code size")),
    Target("R3", "overhead of checks of stores alone, geometric mean", "1.27", 1.15,
           _mean(f"{OVERHEAD}[stores]")),
    Target("R3", "instructions of checks of stores and polls, geometric mean", "", None,
           _mean(f"{COUNTED}[stores]")),
    Target("R4", "overhead of polls alone, geometric mean", "1.15", 1.03,
           _mean(f"{OVERHEAD}[polls]")),
    Target("R4", "instructions of polls, geometric mean", "", None, _mean(f"{COUNTED}[polls]")),
    Target("R4", "time to a poll in 99 of 100 cases, worst program", "", None,
           _of("time to a poll, 99 of 100", max, "value"), unit=" us"),
    Target("R5", "software fault, handler and all", "2.6 us", 100,
           _one("software fault", "fault", "value"), unit=" ns"),
    Target("R5", "page trap to software fault", "22-40", 8,
           _inverse(_one("software fault", "fault")), above=True),
    Target("R6", "read miss to message round trip, 64 B, shm", "1.11", 3,
           _one("miss latency 64 B shm", "remote")),
    Target("R6", "the miss itself", "80 us", 0.6, _one("miss latency 64 B shm", "remote", "value"),
           unit=" us"),
    Target("R6", "read miss to message round trip, 64 B, tcp", "1.11", 1.3,
           _one("miss latency 64 B tcp", "remote")),
    Target("R6", "upgrade to message round trip, shm", "1.46", 3,
           _one("upgrade latency 64 B shm", "remote")),
    Target("R7", "share of tags and fault in a read miss, shm", "0.125", 0.2,
           _one("tags and fault of a miss", "remote")),
    Target("R8", "remote to local load, shm", "170-480", None, _one("remote load", "remote")),
    Target("R9", "mprotect to downgrade of a block", "13-130", 10,
           _inverse(_one("downgrade", "fault")), above=True),
    Target("R9", "mprotect to downgrade while another thread runs", "", 10,
           _inverse(_one("downgrade, a thread running", "fault")), above=True),
    Target("R10", "small message, from a thread, to UCX's own", "1.036", 1.1,
           _one("message 0 B shm", "messages")),
    Target("R10", "small message, from a handler, to UCX's own", "0.91", 1.1,
           _one("handler message 0 B shm", "messages")),
    Target("R10", "message of 32 B, from a thread, to UCX's own", "1.14", 1.1,
           _one("message 32 B shm", "messages")),
    Target("R10", "message of 4 KiB, from a thread, to UCX's own", "0.997", 1.1,
           _one("message 4096 B shm", "messages")),
    Target("R11", "acknowledgements to messages one way", "0.25", 0.25,
           _one("acknowledgements shm", "messages")),
    Target("R11", "messages set aside", "0", 0, _of("messages set aside shm", sum, "value")),
    Target("R12", "bandwidth, 128 B messages to reading 128 B blocks", "3.3", None,
           _one("bandwidth, 128 B messages", "remote")),
    Target("R12", "bandwidth, 4 KiB messages to reading 128 B blocks", "15", 8,
           _one("bandwidth, 4 KiB messages", "remote"), above=True),
    Target("R12", "bandwidth, reading 4 KiB blocks to 128 B blocks", "", None,
           _one("bandwidth, 4 KiB blocks", "remote")),
    Target("R13", "local reading with checks", "0.67", 0.9, _inverse(_streams(["read"], max)),
           above=True),
    Target("R13", "local writing with checks", "0.47", 0.8, _inverse(_streams(["write"], max)),
           above=True),
    Target("R13", "local reading with polls alone", "0.83", None,
           _inverse(_streams(["read"], max, "streaming[polls]"))),
    Target("R13", "local writing with polls alone", "0.81", None,
           _inverse(_streams(["write"], max, "streaming[polls]"))),
    Target("R14", "speed-up on two nodes that six programs reach", "", 1.7,
           _of("time on 2 nodes", _sixth_best), above=True),
    Target("R14", "speed-up of two plain threads that six programs reach", "", None,
           _of("time of 2 plain threads", _sixth_best)),
    Target("R15", "time with checks to time without, geometric mean", "1.39", 1.25,
           _mean("checks to polls")),
    Target("R17", "control messages to data messages, one producer and one consumer", "3.00", 3.0,
           _one("control messages", "homes")),
    Target("R17", "control messages to data messages, em3d", "3.00", 3.0,
           _one("control messages", "em3d")),
    Target("R18", "overhead with two threads to overhead with one", "1.11", 1.05,
           _quotient(_mean("time of 2 checked threads"), _mean(OVERHEAD))),
    Target("R19", "miss with two threads a node to one", "1.07-1.18", 1.2,
           _one("miss latency 64 B shm[2 threads]", "remote")),
    Target("R20", "two threads on one node to one on each of two", "1.13", 1.10,
           _mean("threads of one node")),
    *(Target("R21", f"messages of four threads on 2 nodes to 4 nodes, {program}", published, 1,
             _one("messages of 4 threads on 2 nodes", program))
      for program, published in (("em3d", "0.50"), ("lu", "0.67"), ("barnes", "0.83"))),
    Target("R23", "messages a block, home by first touch to elsewhere", "half", 0.5,
           _one("messages, home: first touch", "homes")),
    Target("R23", "messages a block, home at the consumer to elsewhere", "half", 0.5,
           _one("messages, home: consumer", "homes")),
]


def verdict(target, value):
    if value is None:
        return "not measured"
    if target.bound is None:
        return "reported"
    good = value >= target.bound if target.above else value <= target.bound
    return "met" if good else "missed"


def bound_of(target):
    if target.bound is None:
        return ""
    return f"{'>=' if target.above else '<='} {target.bound:g}{target.unit}"


def table(rows):
    """The Markdown table of all targets."""
    found = {(row.metric, row.program): row for row in rows if row.peer != "A/A"}
    body = []
    for target in TARGETS:
        value = target.measured(found)
        shown = "" if value is None else f"{value:.3g}{target.unit}"
        body.append((target.label, target.what, target.published, bound_of(target), shown,
                     verdict(target, value)))
    header = ("", "quantity", "published", "ours must be", "measured", "")
    return "\n".join(grid(header, body, "llrrrl"))
