#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""demo_summary.py ROWS.json: the demonstration's result in a small table."""

import json
import sys

ABOUT = [("user_time", "user time", lambda v: f"{v:.3f} s"),
         ("instructions", "instructions", lambda v: f"{v / 1e6:,.1f} M"),
         ("icache_misses", "I-cache misses (simulated)", lambda v: f"{v / 1e3:,.1f} k")]
NOISE = "A/A"


def percent(ratio):
    return f"{100 * (ratio - 1):+.1f} %"


def interval(row):
    if row["ci_low"] is None:
        return ""
    if row["ci_low"] == row["ci_high"]:
        return "exact"
    return f"{percent(row['ci_low'])} to {percent(row['ci_high'])}"


def table(rows):
    lines = [("SQLite", "by gcc -O2", "by llvm-bolt", "by graupel-bolt", "change from gcc's", "95% interval")]
    for metric, name, show in ABOUT:
        base, bolt = rows.get((metric, "baseline")), rows.get((metric, "llvm-bolt"))
        if base:
            lines.append((name, show(base["peer_value"]), show(bolt["peer_value"]) if bolt else "",
                          show(base["value"]), percent(base["ratio"]), interval(base)))
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    lines.insert(1, tuple("-" * width for width in widths))
    return ["  ".join(cell.rjust(width) if i else cell.ljust(width)
                      for i, (cell, width) in enumerate(zip(line, widths))) for line in lines]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = {(r["metric"], r["peer"]): r for r in json.load(file)}
    print("\n".join(table(rows)))
    print()
    noise, time = rows.get(("user_time", NOISE)), rows.get(("user_time", "baseline"))
    if time:
        print("Times are medians; their change is the median of the changes round by round.")
    if noise:
        print(f"gcc's program against its own copy: {percent(noise['ratio'])} ({interval(noise)}); "
              "that much is noise here.")
    if time and (time["ci_high"] or time["ratio"]) >= 1:
        print("No speed-up could be measured; if the machine is busy, try again when it is not.")


if __name__ == "__main__":
    main()
