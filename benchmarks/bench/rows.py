# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result row: the one schema that run.py writes and compare.py and reports read.

ratio is ours/peer (below 1 is better for every metric we have). A deterministic
figure has the degenerate interval [ratio, ratio]; null means that a noisy figure
was measured only once, so that no interval is known.
"""

import json
from dataclasses import asdict, dataclass

from .errors import BenchError

FIELDS = ("benchmark", "program", "metric", "unit", "value", "peer", "peer_value", "ratio",
          "ci_low", "ci_high")
DETERMINISTIC = ("instructions", "training_instructions", "icache_misses", "output_size",
                 "code_size", "procedure_size", "decode_windows", "predicted_windows",
                 "check instructions", "code size", "references", "misses", "remote accesses",
                 "survival")
UNITS = {"user_time": "s", "instructions": "count", "icache_misses": "count",
         "output_size": "bytes", "optimizer_time": "s", "optimizer_peak_memory": "kB",
         "cpu_time": "s", "code_size": "bytes", "optimizer_user_time": "s",
         "edges_differ": "count", "calls_differ": "count", "blocks_differ": "count",
         "deviation": "count", "training_instructions": "count", "procedure_size": "bytes",
         "decode_windows": "count", "predicted_windows": "count"}


@dataclass
class Row:
    benchmark: str
    program: str
    metric: str
    unit: str
    value: float
    peer: str
    peer_value: float
    ratio: float
    ci_low: float | None
    ci_high: float | None


def base_metric(metric):
    """user_time[spike] -> user_time; misses, n = 14000 -> misses"""
    return metric.partition("[")[0].partition(",")[0]


def exact(benchmark, program, metric, value, peer, peer_value):
    """Row of a deterministic figure."""
    ratio = value / peer_value
    return Row(benchmark, program, metric, UNITS[base_metric(metric)], value, peer, peer_value,
               ratio, ratio, ratio)


def write(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        json.dump([asdict(r) for r in rows], file, indent=1)
        file.write("\n")


def read(path):
    """Rows of a JSON file, checked field by field."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise BenchError(f"{path}: not JSON: {error}") from error
    return checked(path, data)


def checked(path, data):
    """Rows from what was read of a file, checked field by field."""
    if not isinstance(data, list):
        raise BenchError(f"{path}: expected a list of rows")
    return [_checked_row(path, index, item) for index, item in enumerate(data)]


def _checked_row(path, index, item):
    if not isinstance(item, dict) or set(item) != set(FIELDS):
        raise BenchError(f"{path}: row {index} does not have exactly the fields {', '.join(FIELDS)}")
    for name in FIELDS:
        value = item[name]
        if name in ("benchmark", "program", "metric", "unit", "peer"):
            good = isinstance(value, str)
        else:
            good = isinstance(value, (int, float)) and not isinstance(value, bool)
            good = good or (value is None and name in ("ci_low", "ci_high"))
        if not good:
            raise BenchError(f"{path}: row {index}: bad {name}: {value!r}")
    return Row(**item)
