# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `stride`: what recording costs beside what we ask of it, and beside other recorders."""

from dataclasses import dataclass

from bench.stats import geometric_mean
from bench.table import grid
from families.stride_spmv import PUBLISHED_CALLS, PUBLISHED_MISSES, PUBLISHED_REFERENCES


@dataclass
class Bar:
    what: str
    metric: str
    bound: float | None
    pick: object = geometric_mean   # of a metric's ratios over programs
    above: bool = False             # the bound is the least


BARS = [
    Bar("affine loops, geometric mean", "affine loops[exact]", 1.2),
    Bar("the worst", "affine loops[exact]", None, max),
    Bar("A/A", "affine loops[A/A]", None),
    Bar("irregular loops, geometric mean", "irregular loops[exact]", 3),
    Bar("the worst", "irregular loops[exact]", None, max),
    Bar("A/A", "irregular loops[A/A]", None),
    Bar("whole programs, geometric mean", "time[exact]", 2.5),
    Bar("the worst", "time[exact]", None, max),
    Bar("sampled", "time[sampled]", 1.10),
    Bar("with simulated caches", "time[cache]", 6),
    Bar("A/A", "time[A/A]", None),
    Bar("memory, geometric mean", "memory[exact]", 1.5),
    Bar("the worst", "memory[exact]", None, max),
    Bar("memory, sampled", "memory[sampled]", 1.5),
    Bar("memory, with simulated caches", "memory[cache]", 1.5),
    Bar("small inputs: ours", "time of a small input", None),
    Bar("cachegrind", "time of a small input[cachegrind]", None),
    Bar("callgrind", "time of a small input[callgrind]", None),
    Bar("lackey, which writes down all addresses", "time of a small input[lackey]", None),
    Bar("neighbor: time saved", "time of a fixed program", 0.5,
        lambda ratios: ratios[0]),
]


def bars_table(rows):
    """A line for each bar that was measured."""
    ratios = {}
    for row in rows:
        ratios.setdefault(row.metric, []).append((row.program, row.ratio))
    body = []
    for bar in BARS:
        found = ratios.get(bar.metric)
        if bar.what.startswith("neighbor"):
            found = [pair for pair in found or [] if pair[0] == "neighbor"]
        if not found:
            continue
        value = bar.pick([ratio for _, ratio in found])
        name = next((name for name, ratio in found if bar.pick is max and ratio == value), "")
        bound = "" if bar.bound is None else f"{bar.bound:g}"
        verdict = "" if bar.bound is None else "holds" if value <= bar.bound else "missed"
        body.append((bar.what, str(len(found)), bound, f"{value:.2f} {name}".rstrip(), verdict))
    if not body:
        return ""
    header = ("time or memory to that without recording", "programs", "bound", "measured", "")
    return "\n".join(grid(header, body, "lrrrl"))


def misses_table(rows):
    """The published figures and ours, original and modified."""
    def line(name, original, modified):
        change = f"{100 * (modified / original - 1):+.1f} %" if modified else "-"
        return (name, f"{original:,.0f}", f"{modified:,.0f}" if modified else "not given", change)

    def of_a_call(totals):
        return [total and total / PUBLISHED_CALLS for total in totals]

    body = [line("published: references", *of_a_call(PUBLISHED_REFERENCES)),
            line("published: misses", *of_a_call(PUBLISHED_MISSES))]
    body += [line(f"{row.program}: {row.metric}", row.peer_value, row.value) for row in rows
             if row.metric.startswith(("references, ", "misses, "))]
    if len(body) == 2:
        return ""
    return "\n".join(grid(("a call; 4 MB direct-mapped, lines of 64 bytes", "original", "modified", "change"),
                          body, "lrrr"))
