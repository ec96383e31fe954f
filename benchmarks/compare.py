#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two result files of run.py: what got better, what got worse, and does it matter.

Only figures that repeat can fail a comparison: instructions, misses, sizes and the
like (bench/rows.py lists them) may become worse by --fail-over percent (default 1),
optimizer_peak_memory by at least 5, because page granularity, allocator and library
versions move it between machines. Times are listed but never fail.

Figures that have a row against the baseline program are compared by that ratio,
so that another compiler version, which moves program and baseline alike, does not
look like our change. Optimizer figures have no such row and are compared by value.

Some figures have a bar, which fails whatever the old results have (BARS).

A wanted regression is declared in a file with lines `program metric: reason`.
Exit status: 0 fine, 1 regression or unusable input, 2 wrong usage.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from bench import rows as result_rows  # noqa: E402
from bench.errors import BenchError  # noqa: E402

# The program as it was linked, or compiled without Graupel.
BASELINE_PEERS = ("baseline", "uninstrumented", "original")
CONTROL_PEER = "A/A"
PEER_COLUMN = "[llvm-bolt"      # and what follows: there may be several
MEMORY = "optimizer_peak_memory"
MEMORY_TOLERANCE = 5.0
MORE_IS_BETTER = ("survival",)
# (program, metric): the most that the ratio may be.
BARS = {("ports", "check instructions, geometric mean"): 1.15}
DECLARED = HERE / "baseline" / "declared.txt"


@dataclass
class Change:
    """One figure in both files; percent > 0 is worse."""
    benchmark: str
    program: str
    metric: str
    percent: float
    limit: float | None         # None: not judged

    @property
    def name(self):
        return f"{self.program} {self.metric}"

    @property
    def regressed(self):
        return self.limit is not None and self.percent > self.limit


def figures(rows, path):
    """{(benchmark, program, metric): (how, figure)}, one entry per figure."""
    found = {}
    for row in rows:
        if row.peer == CONTROL_PEER:
            continue
        key = (row.benchmark, row.program, row.metric)
        by_ratio = row.peer in BASELINE_PEERS
        figure = row.ratio if by_ratio else row.value
        if figure <= 0:
            raise BenchError(f"{path}: {row.program} {row.metric} is not positive")
        if by_ratio or key not in found:
            found[key] = ("ratio" if by_ratio else "value", figure)
    return found


def limit_of(metric, fail_over):
    if PEER_COLUMN in metric:
        return None             # what the peer does is no regression of ours
    base = result_rows.base_metric(metric)
    if base == MEMORY:
        return max(fail_over, MEMORY_TOLERANCE)
    return fail_over if base in result_rows.DETERMINISTIC else None


def changes(old, new, fail_over):
    """Changes of all figures of `old`, worst first; a figure missing in `new` is an error."""
    missing = [" ".join(key) for key in sorted(old) if key not in new]
    if missing:
        raise BenchError("missing in the new results: " + ", ".join(missing))
    result = []
    for key, (how, before) in old.items():
        new_how, after = new[key]
        if new_how != how:
            raise BenchError(f"{' '.join(key)}: the two files have different peers")
        worse = before / after if result_rows.base_metric(key[2]) in MORE_IS_BETTER \
            else after / before
        result.append(Change(*key, (worse - 1) * 100, limit_of(key[2], fail_over)))
    return sorted(result, key=lambda c: (-c.percent, c.benchmark, c.program, c.metric))


def above_bars(new):
    """What is wrong with figures that have a bar, one string each."""
    found = []
    for (_, program, metric), (_, figure) in sorted(new.items()):
        bar = BARS.get((program, metric), figure)
        if figure > bar:
            found.append(f"{program} {metric} is {figure:.4f}, above its bar of {bar:g}")
    return found


def read_declared(path):
    """{(program metric): reason}"""
    declared = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, colon, reason = line.partition(":")
        if not colon or len(name.split()) < 2 or not reason.strip():
            raise BenchError(f"{path}:{number}: expected 'program metric: reason'")
        declared[" ".join(name.split())] = reason.strip()
    return declared


def report(found, declared, out):
    """Print the changes; returns the undeclared regressions."""
    def line(change, remark=""):
        print(f"  {change.percent:+8.2f} %  {change.benchmark} {change.name}{remark}", file=out)

    worse = [c for c in found if c.percent > 0.005]
    better = [c for c in reversed(found) if c.percent < -0.005]
    failures = []
    print(f"worse ({len(worse)}):", file=out)
    for change in worse:
        remark = ""
        if change.limit is None:
            remark = "  (not judged)"
        elif change.regressed and change.name in declared:
            remark = f"  (declared: {declared[change.name]})"
        elif change.regressed:
            remark = f"  REGRESSION (limit {change.limit:g} %)"
            failures.append(change)
        line(change, remark)
    print(f"better ({len(better)}):", file=out)
    for change in better:
        line(change)
    print(f"unchanged: {len(found) - len(worse) - len(better)}", file=out)
    regressed = {c.name for c in found if c.regressed}
    for name in sorted(set(declared) - regressed):
        print(f"note: declared but not regressed: {name}", file=out)
    return failures


def percentage(text):
    value = float(text)
    if not value >= 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", help="JSON of the reference run")
    parser.add_argument("new", help="JSON of the run to judge")
    parser.add_argument("--fail-over", metavar="PCT", type=percentage, default=1.0,
                        help="percentage a deterministic figure may grow (default 1)")
    parser.add_argument("--declared", metavar="FILE",
                        help="declared regressions (default: baseline/declared.txt, if present)")
    options = parser.parse_args(argv)
    try:
        declared = {}
        if options.declared or DECLARED.exists():
            declared = read_declared(options.declared or DECLARED)
        old = figures(result_rows.read(options.old), options.old)
        new = figures(result_rows.read(options.new), options.new)
        if not old:
            raise BenchError(f"{options.old}: no rows")
        found = changes(old, new, options.fail_over)
        added = sorted(set(new) - set(old))
        failures = report(found, declared, sys.stdout)
        for key in added:
            print(f"note: only in the new results: {' '.join(key)}")
        missed = above_bars(new)
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for text in missed:
        print(f"error: {text}", file=sys.stderr)
    if failures:
        print(f"error: {len(failures)} undeclared regression(s)", file=sys.stderr)
    return 1 if failures or missed else 0


if __name__ == "__main__":
    sys.exit(main())
