# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What family `hco` is about, in tables: path length, user time, and growth.

Geometric means are over the call-intensive programs only; a program whose time goes into
loops is there to show that it does not lose.
"""

import json
from dataclasses import dataclass

from bench import table
from bench.errors import BenchError
from bench.rows import base_metric
from bench.stats import geometric_mean
from families.variants import BASELINE, CONTROL, HCO, LLVM_BOLT, LLVM_BOLT_PATHS, OURS

# Column heading: (column, metric, peer). A heading says what is divided by what.


def _paths(*pairs):
    return {f"{column} / {peer}, {title}": (column, metric, peer) for column, peer in pairs
            for metric, title in (("training_instructions", "training"), ("instructions", "other"))}


PATHS = _paths((HCO, OURS), (HCO, LLVM_BOLT_PATHS))
ALL_PATHS = _paths(*((column, BASELINE) for column in (HCO, OURS, LLVM_BOLT_PATHS, LLVM_BOLT)))
TIMES = {CONTROL: (OURS, "user_time", CONTROL)} | {
    f"{column} / {peer}": (column, "user_time", peer)
    for column, peer in ((HCO, OURS), (HCO, LLVM_BOLT_PATHS), (HCO, BASELINE),
                         (LLVM_BOLT_PATHS, BASELINE), (LLVM_BOLT, BASELINE))}
GROWTH = {"code": (HCO, "code_size", OURS), "file": (HCO, "output_size", OURS),
          "optimized procedures": (HCO, "procedure_size", OURS),
          "I-cache misses": (HCO, "icache_misses", OURS),
          "optimizer time": (HCO, "optimizer_time", OURS)}
TITLES = (("Path length (executed instructions)", PATHS),
          ("Path length, each against the original program", ALL_PATHS), ("User time", TIMES),
          (f"{HCO} / {OURS}: growth, misses and cost", GROWTH))


@dataclass
class Growth:
    """Bytes of the procedures that were optimized."""
    before: int
    after: int


def growth_of(path):
    """What a report of the optimizer says, or None if there is none or nothing was optimized."""
    if not path.exists():
        return None
    try:
        said = json.loads(path.read_text(encoding="utf-8"))["growth"]
        before = said["original_bytes"]
        after = said["hot_bytes"] + said["cold_bytes"] + said["stub_bytes"]
    except (ValueError, KeyError, TypeError) as error:
        raise BenchError(f"{path.name}: no growth of procedures in it: {error!r}") from error
    return Growth(before, after) if before else None


def _mean(rows):
    return f"{geometric_mean(r.ratio for r in rows):.4f}" if rows else ""


def _find(rows):
    """Rows by (program, column, metric, peer)."""
    found = {}
    for row in rows:
        column = row.metric.partition("[")[2].rstrip("]") or OURS
        found[row.program, column, base_metric(row.metric), row.peer] = row
    return found


def _grid(columns, found, programs, intensive):
    columns = {title: key for title, key in columns.items()
               if any((program, *key) in found for program in programs)}
    if not columns:
        return None
    body = [[program, *(table.ratio(found.get((program, *key))) for key in columns.values())]
            for program in programs]
    body.append(["mean, call-intensive", *(
        _mean([found[program, *key] for program in intensive if (program, *key) in found])
        for key in columns.values())])
    return "\n".join(table.grid(["program", *columns], body, "l" + "r" * len(columns)))


def longer(rows, metric, limit=1.0):
    """Programs whose path is longer with hot-cold optimization than `limit` allows."""
    return [f"{row.program} ({row.ratio:.4f})" for row in rows
            if row.metric == f"{metric}[{HCO}]" and row.peer == OURS and row.ratio > limit]


def markdown(rows, intensive):
    """The tables, and which programs got worse; `intensive` names the call-intensive programs."""
    found, parts = _find(rows), []
    programs = list(dict.fromkeys(row.program for row in rows))
    for title, columns in TITLES:
        grid = _grid(columns, found, programs, intensive)
        if grid:
            parts.append(f"{title}\n\n{grid}")
    for metric, what, limit in (
            ("training_instructions", "More instructions with the training input", 1.0),
            ("instructions", "Over 1 % more instructions with another input", 1.01)):
        parts.append(f"{what} ({HCO} / {OURS}): {', '.join(longer(rows, metric, limit)) or 'none'}")
    return parts
