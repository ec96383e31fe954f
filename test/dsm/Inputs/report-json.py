#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program reads of `graupel dsm report --format=json` of report-job."""

import json
import sys

report = json.load(sys.stdin)
assert [n["misses"] for n in report["nodes"]] == [205, 813]
assert [n["host"] for n in report["nodes"]] == ["first", "second"]
assert len(report["warnings"]) == 2

first = report["misses"][0]
assert (first["cause"], first["access"], first["misses"]) == ("false sharing", "store", 100)
assert first["nanoseconds"] == 100_000_000
assert first["place"]["code"] == "program+0x1001"
assert sum(m["misses"] for m in report["misses"]) == 1018 + 7

slots = report["objects"][first["object"]]
assert slots["causes"]["false sharing"]["misses"] == 100
assert slots["block"] == 128 and slots["home"] == "node 0"
heat = slots["heat"]
assert heat["bytes of a column"] == 128
assert [row[0] for row in heat["store misses"]] == [60, 40]
assert [row[1] for row in heat["store misses"]] == [10, 0]
assert [row[0] for row in heat["load misses"]] == [0, 10]
assert [row[0] for row in heat["lost"]] == [60, 40]

assert [(a["kind"], a["value"]) for a in report["advice"]] == [
    ("smaller block", 64), ("larger block", 4096), ("larger block", 4096), ("home", 1),
    ("fetch in bulk", 61440), ("larger block", 4096), ("further apart", 128)]
assert report["advice"][0]["predicted"]["most misses"] == 2
assert report["advice together"] == {"misses": 1018, "least misses": 48, "most misses": 146}
assert sum(b["samples"] for b in report["poll intervals"]) == 100
assert {"type": "stache.DataRO", "from": 0, "to": 1, "messages": 512,
        "bytes": 69632} in report["messages"]
