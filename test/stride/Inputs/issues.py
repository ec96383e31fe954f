# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a report's issues with those that the lines of issues.c have."""

import json
import sys

EXPECTED = {
    "INTERCHANGE": {"interchange": "across"},
    "BLOCK": {"block": "to"},
    "PAD": {"interchange": "padded", "pad": "padded"},
    "SPLIT": {"split-structure": "bodies"},
    "PREFETCH": {"prefetch": "table"},
    "STREAM": {"non-temporal": "filled"},
    "RELOAD": {"reload": "sum_here"},
}

report = json.load(open(sys.argv[1]))
source = open(sys.argv[2]).read().split("\n")
found = {}
for issue in report["issues"]:
    if issue["issue"] == "alignment":  # Depends on the linker.
        continue
    mark = source[issue["line"] - 1].rpartition("// ")[2]
    found.setdefault(mark, {})[issue["issue"]] = issue["object"]
assert found == EXPECTED, found
lines = [issue["lines"] for issue in report["issues"]]
assert lines == sorted(lines, reverse=True), lines
