# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-bench.py FILE TABLE...: whether the JSON of `graupel numa bench` is what docs/numa.md says, and has
these tables (with - for blanks)."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
names = {table["name"] for table in data["tables"]}
for wanted in sys.argv[2:]:
    # With one processor there is nothing between two.
    if wanted == "core-to-core" and sum(len(n["processors"]) for n in data["machine"]["nodes"]) < 2:
        continue
    assert wanted.replace("-", " ") in {n.replace("-", " ") for n in names}, (wanted, names)
for table in data["tables"]:
    where = table["name"]
    assert table["kind"] in ("measured", "published"), where
    assert (table["kind"] == "published") == where.startswith("published "), where
    assert table["unit"] in ("ns", "MB/s"), where
    assert len(set(table["columns"])) == len(table["columns"]), where
    assert all(len(row) == len(table["columns"]) for row in table["rows"]), where
    assert len(table["row_stable"]) == len(table["rows"]), where
    assert table["stable"] == all(table["row_stable"]), where
    reasons = {item["row"]: item["why"] for item in table["unstable"]}
    assert set(reasons) == {n for n, good in enumerate(table["row_stable"]) if not good}, where
    assert all(reasons.values()), where
    for row in table["rows"]:
        assert row[0] is not None and all(isinstance(cell, (int, float, str, type(None))) for cell in row), where
for run in data["runs"]:
    assert run["min"] <= run["median"] <= run["max"] and run["samples"] > 0, run
    assert run["min"] > 0 or run["experiment"] == "load", run
    assert not run["stable"] or len(run["passes"]) >= 6, run
for pair in data["calibration"]:
    assert 0 < pair["least_ns"] <= pair["most_ns"] and pair["times"] > 0, pair
