# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `dsm`: what was measured beside what was published and what we ask of ourselves.

A target is a row of the table: which of (Schoinas 1998)'s figures, his value, the bound, and a function
from rows to our value. What was not measured in a run says so.
"""

from dataclasses import dataclass
from typing import Callable

from bench.stats import geometric_mean
from bench.table import grid

STREAMING = ("copy", "axpy", "stencil")
OVERHEAD, COUNTED = "check overhead", "check instructions"


@dataclass
class Target:
    label: str
    what: str
    published: str
    bound: float
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


def _streams(kernels, pick):
    def measured(rows):
        values = [rows["streaming", k].ratio for k in kernels if ("streaming", k) in rows]
        return pick(values) if len(values) == len(kernels) else None
    return measured


def _inverse(of):
    def measured(rows):
        value = of(rows)
        return None if not value else 1 / value
    return measured


def _sixth_best(ratios):
    """The speed-up that six programs reach."""
    return 1 / sorted(ratios)[5] if len(ratios) >= 6 else None


TARGETS = [
    Target("R2", "check overhead, geometric mean", "1.72", 1.10, _of(OVERHEAD, geometric_mean)),
    Target("R2", "check overhead, worst", "2.22", 1.25, _of(OVERHEAD, max)),
    Target("R2", "the same in instructions, geometric mean", "", 1.10,
           _of(COUNTED, geometric_mean)),
    Target("R2", "streaming loops, worst", "", 1.05, _streams(STREAMING, max)),
    Target("R2", "matrix product in the first cache", "", 1.3, _streams(["matmul-l1"], max)),
    Target("", "compile time, geometric mean", "", 1.5, _of("compile time", geometric_mean)),
    Target("", "code size, geometric mean", "", 1.5, _of("code size", geometric_mean)),
    Target("R5", "software fault, entry and exit", "2.6 us", 100,
           _one("fault entry", "fault", "value"), unit=" ns"),
    Target("R5", "page trap to software fault", "22-40", 8,
           _inverse(_one("fault entry", "fault")), above=True),
    Target("R6", "read miss to message round trip, 64 B, shm", "1.11", 3,
           _one("miss latency 64 B shm", "remote")),
    Target("R6", "the miss itself", "80 us", 0.6, _one("miss latency 64 B shm", "remote", "value"),
           unit=" us"),
    Target("R6", "read miss to message round trip, 64 B, tcp", "1.11", 1.3,
           _one("miss latency 64 B tcp", "remote")),
    Target("R6", "upgrade to message round trip, shm", "1.46", 3,
           _one("upgrade latency 64 B shm", "remote")),
    Target("R12", "bandwidth, 4 KiB blocks to 128 B blocks", "15", 8,
           _one("bandwidth 4 KiB", "remote"), above=True),
    Target("R13", "local reading with checks", "0.67", 0.9, _inverse(_streams(["read"], max)),
           above=True),
    Target("R13", "local writing with checks", "0.47", 0.8, _inverse(_streams(["write"], max)),
           above=True),
    Target("R14", "speed-up on two nodes that six programs reach", "", 1.7,
           _of("speed-up 2 nodes", _sixth_best), above=True),
    Target("R17", "control messages to data messages, em3d", "3.00", 3.0,
           _one("control messages", "em3d")),
    Target("R20", "two threads on one node to one on each of two", "1.13", 1.10,
           _of("threads of one node", geometric_mean)),
]


def verdict(target, value):
    if value is None:
        return "not measured"
    good = value >= target.bound if target.above else value <= target.bound
    return "met" if good else "missed"


def table(rows):
    """The Markdown table of all targets."""
    found = {(row.metric, row.program): row for row in rows if row.peer != "A/A"}
    body = []
    for target in TARGETS:
        value = target.measured(found)
        shown = "" if value is None else f"{value:.3g}{target.unit}"
        bound = f"{'>=' if target.above else '<='} {target.bound:g}{target.unit}"
        body.append((target.label, target.what, target.published, bound, shown,
                     verdict(target, value)))
    header = ("", "quantity", "published", "ours must be", "measured", "")
    return "\n".join(grid(header, body, "llrrrl"))
