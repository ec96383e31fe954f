# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows as a Markdown table, with the geometric mean over programs at the end."""

from .stats import geometric_mean


# Counts of differences, which may be none.
NO_MEAN = ("_differ", "deviation", ", off", "set aside shm", "set aside tcp")


def _number(value, unit):
    if unit == "s":
        return f"{value:.3f} s"
    if unit in ("us", "ns"):
        return f"{value:.3f} {unit}"
    if unit == "share":
        return f"{100 * value:.1f} %"
    if unit == "count":
        return f"{value:,.0f}"
    return f"{value:,.0f} {unit}"


def _interval(row):
    if row.ci_low is None:
        return "measured once"
    if row.ci_low == row.ci_high:
        return "exact"
    return f"{row.ci_low:.4f}-{row.ci_high:.4f}"


def ratio(row):
    """A cell with a ratio: exact, measured once, or with its interval. Empty without a row."""
    if row is None:
        return ""
    if row.ci_low is None or row.ci_low == row.ci_high:
        return f"{row.ratio:.4f}"
    return f"{row.ratio:.3f} [{row.ci_low:.3f}, {row.ci_high:.3f}]"


def grid(header, body, align):
    """The lines of a Markdown table; `align` has an l or r for each column."""
    widths = [max(len(r[i]) for r in [header, *body]) for i in range(len(header))]

    def line(cells):
        return "| " + " | ".join(c.rjust(w) if a == "r" else c.ljust(w)
                                 for c, w, a in zip(cells, widths, align)) + " |"

    rule = "|" + "|".join(("-" * (w + 1) + ":") if a == "r" else "-" * (w + 2)
                          for w, a in zip(widths, align)) + "|"
    return [line(header), rule, *(line(r) for r in body)]


def markdown(rows):
    """All rows grouped by metric and peer."""
    order = {}
    for row in rows:
        order.setdefault((row.metric, row.peer), len(order))
    rows = sorted(rows, key=lambda r: order[(r.metric, r.peer)])
    header = ("metric", "peer", "program", "ours", "peer value", "ratio", "95% interval")
    body = [(r.metric, r.peer, r.program, _number(r.value, r.unit),
             _number(r.peer_value, r.unit), f"{r.ratio:.4f}", _interval(r)) for r in rows]
    return "\n".join(grid(header, body, "lllrrrl"))


def geomeans(rows, combined):
    """Geometric means of the ratios over programs.

    `combined` holds (ratio, low, high) for the (metric, peer) pairs whose samples
    allow an interval.
    """
    groups = {}
    for row in rows:
        groups.setdefault((row.metric, row.peer), []).append(row.ratio)
    body = []
    for (metric, peer), ratios in groups.items():
        if metric.partition("[")[0].endswith(NO_MEAN):
            continue
        _, low, high = combined.get((metric, peer), (None, None, None))
        interval = f"{low:.4f}-{high:.4f}" if low is not None else ""
        body.append((metric, peer, str(len(ratios)), f"{geometric_mean(ratios):.4f}", interval))
    header = ("geometric mean of", "peer", "programs", "ratio", "95% interval")
    return "\n".join(grid(header, body, "llrrl"))
