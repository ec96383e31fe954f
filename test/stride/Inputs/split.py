# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""split.py SPLIT BEFORE AFTER: what is suggested for split.c, and what it is worth."""

import json
import sys

split, before, after = (json.load(open(name)) for name in sys.argv[1:])
assert split["version"] == 1
(s,) = [s for s in split["structures"] if "bodies" in s["object"]]
assert s["structure_bytes"] == 64 and s["elements"] == 20000, s
fields = s["fields"]
assert [(f["offset"], f["bytes"]) for f in fields] == [(0, 8), (8, 8), (16, 8), (24, 8)], fields
assert [f["loads"] for f in fields] == [400000, 20000, 20000, 400000], fields
assert [f["stores"] for f in fields] == [20000, 0, 0, 20000], fields
assert s["unused_bytes"] == 32
functions = [place["function"] for place in s["places"]]
for f, wanted in zip(fields, ({"begin", "pull"}, {"energy"}, {"energy"}, {"begin", "pull"})):
    assert {functions[place] for place, count in f["places"]} == wanted, (f, functions)
assert s["affinity"][0][3] == s["affinity"][3][0] == 420000
assert s["affinity"][0][1] == 0 and s["affinity"][1][2] == 20000
hot, cold = s["split"]
assert hot == {"fields": [0, 3], "bytes": 16, "references": 840000, "hot": True}, hot
assert cold["fields"] == [1, 2] and not cold["hot"], cold
# What split.c does with -DSPLIT is the suggestion.
assert s["bytes_split"] * 3 < s["bytes_now"], s
misses = [r["caches"][0]["misses"] for r in (before, after)]
assert misses[1] * 3 < misses[0], misses
saved = s["bytes_now"] - s["bytes_split"], 64 * (misses[0] - misses[1])
assert abs(saved[0] - saved[1]) < 0.1 * saved[1], saved
names = {f["function"]: f for f in split["functions"]}
assert names["pull"]["hot"] and not names["main"]["hot"], names
