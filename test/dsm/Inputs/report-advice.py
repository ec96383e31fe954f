#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what a report predicts with what the program does that follows it: with one
argument, that the kinds of advice are as expected; with two, that misses of objects whose
allocations changed lie within a tenth of the limits."""

import json
import sys

before = json.load(open(sys.argv[1]))
objects = before["objects"]
kinds = {}
for advice in before["advice"]:
    name = objects[advice["object"]]["name"].split()[-1]
    kinds.setdefault(name, []).append(advice["kind"])

if len(sys.argv) == 2:
    print(kinds)
    assert "larger block" in kinds["all"], kinds
    assert "larger block" in kinds["own"], kinds
    assert "further apart" in kinds["slots"], kinds
    assert "fetch to write" in kinds["token"], kinds
    sys.exit()

after = {o["name"]: o["misses"] for o in json.load(open(sys.argv[2]))["objects"]}
tried = 0
for advice in before["advice"]:
    name = objects[advice["object"]]["name"]
    if advice["kind"] not in ("larger block", "smaller block"):
        continue
    p = advice["predicted"]
    print(name, p, after[name])
    assert 0.9 * p["least misses"] <= after[name] <= 1.1 * p["most misses"], name
    assert after[name] < 0.85 * p["misses"], name
    tried += 1
assert tried, kinds
