# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one_node.py FOLDER [KEY=JSON]...: the report of a job of one node, with these values."""

import json
import os
import sys

report = {
    "format": "graupel dsm report", "version": 2, "node": 0, "nodes": 1, "threads": 1,
    "first parallel": 0, "halvings": 0, "host": "h", "error": "", "seconds": 1.0,
    "modules": [["/nowhere/program", ""]], "places": [[0, 16], [0, 32]], "allocations": [],
    "misses": [[0, "load", "cold", 4096, 8, 1000, 1000000, 0]], "times": [], "blocks": [],
    "events": [], "polls": [], "messages": [], "left out": {},
}
for pair in sys.argv[2:]:
    key, value = pair.split("=", 1)
    report[key] = json.loads(value)
os.makedirs(sys.argv[1], exist_ok=True)
with open(os.path.join(sys.argv[1], "node-0.json"), "w") as file:
    json.dump(report, file)
