# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A report in JSON has the members of docs/stride.md, no others, and they add up."""

import json
import re
import sys

NUMBER, TEXT, YES = int, str, bool
COUNTS = {"references": NUMBER, "histograms": [{"lag": NUMBER, "bins": "bins"}],
          "no_predecessor": [NUMBER], "forward": NUMBER, "backward": NUMBER}
PATTERN = {"references": NUMBER, "unit": NUMBER, "same": NUMBER, "constant": NUMBER,
           "irregular": NUMBER, "first": NUMBER}
MISSES = {"misses?": [NUMBER], "compulsory?": [NUMBER], "capacity?": [NUMBER], "conflict?": [NUMBER],
          "tlb_misses?": NUMBER, "lines_left?": NUMBER, "utilisation?": "part", "first_uses?": NUMBER,
          "reuse?": "reuse"}
PLACE = {"file": TEXT, "line": NUMBER, "function": TEXT}
SCHEMA = {
    "version": NUMBER, "program": TEXT, "selection": TEXT, "process": NUMBER, "state": TEXT,
    "variant": TEXT, "maxel": NUMBER, "recorded_maxel": NUMBER, "threshold": NUMBER,
    "pass_equal": YES, "all": PATTERN,
    "streams": [{
        "object": TEXT, "kind": TEXT, "element_bytes": NUMBER, **COUNTS, **MISSES, "symbol": TEXT,
        "object_kind": TEXT, "object_bytes": NUMBER, "blocks": NUMBER,
        "sites": [{**PLACE, "within": TEXT, "column": NUMBER, "bytes": NUMBER, "lanes": NUMBER,
                   "gathered": YES, "masked": YES, "non_temporal": YES, "atomic": YES, "loop?": NUMBER, **COUNTS, **MISSES}]}],
    "loops": [{"loop": NUMBER, **PLACE, "column": NUMBER, "depth": NUMBER, "parent?": NUMBER,
               "summarised": YES, "executions": NUMBER, "iterations": NUMBER, "loads": PATTERN,
               "stores": PATTERN, "load_histograms?": COUNTS, "store_histograms?": COUNTS}],
    "lines": [{"file": TEXT, "line": NUMBER, "code": TEXT, "loads": PATTERN, "stores": PATTERN,
               "load_misses?": [NUMBER], "store_misses?": [NUMBER]}],
    "issues": [{"issue": TEXT, "object": TEXT, "kind": TEXT, **PLACE, "references": NUMBER,
                "lines": NUMBER, "misses?": [NUMBER], "what": TEXT, "advice": TEXT}],
    "bulk": [{"object": TEXT, "kind": TEXT, **PLACE, "calls": NUMBER, "bytes": NUMBER}],
    "caches?": [{"name": TEXT, "bytes": NUMBER, "ways": NUMBER, "line_bytes": NUMBER, "replacement": TEXT,
                 "shared": YES, "sampled": NUMBER, "references": NUMBER, "misses": NUMBER,
                 "compulsory": NUMBER, "capacity": NUMBER, "conflict": NUMBER}],
    "tlb?": {"entries": NUMBER, "ways": NUMBER, "page_bytes": NUMBER, "misses": NUMBER},
    "reuse_sampled?": NUMBER,
    "conflicts?": [{"level": TEXT, "object": TEXT, "evicted_by": TEXT, "misses": NUMBER}],
    "sharing?": [{"object": TEXT, "other_object": TEXT, "address": NUMBER, "offset?": NUMBER,
                  "writer": {"kind": TEXT, **PLACE, "column": NUMBER},
                  "other": {"kind": TEXT, **PLACE, "column": NUMBER},
                  "written": TEXT, "used": TEXT, "true": NUMBER, "false": NUMBER}],
}
BIN = re.compile(r"\d+|\d+-\d+|>=32768")


def check(value, schema, path):
    if schema == "bins":
        for name, count in value.items():
            assert BIN.fullmatch(name) and type(count) is int and count > 0, (path, name)
    elif schema == "reuse":
        for name, count in value.items():
            assert re.fullmatch(r"[<>]?=?\d+|\d+-\d+", name) and type(count) is int and count > 0, (path, name)
    elif schema == "part":
        assert 0 <= value <= 1, path
    elif isinstance(schema, list):
        assert type(value) is list, path
        for number, each in enumerate(value):
            check(each, schema[0], f"{path}[{number}]")
    elif isinstance(schema, dict):
        names = {name.rstrip("?") for name in schema}
        needed = {name for name in schema if not name.endswith("?")}
        assert needed <= set(value) <= names, (path, set(value) ^ names)
        for name, each in value.items():
            check(each, schema.get(name, schema.get(name + "?")), f"{path}.{name}")
    else:
        assert type(value) is schema, (path, value)


def adds_up(pattern, path):
    parts = [pattern[name] for name in ("unit", "same", "constant", "irregular", "first")]
    assert sum(parts) == pattern["references"], (path, pattern)


report = json.load(open(sys.argv[1]))
check(report, SCHEMA, "report")
adds_up(report["all"], "all")
for line in report["lines"]:
    adds_up(line["loads"], line)
    adds_up(line["stores"], line)
total = sum(stream["references"] for stream in report["streams"])
assert total == report["all"]["references"]
assert total == sum(l["loads"]["references"] + l["stores"]["references"] for l in report["lines"])
for stream in report["streams"]:
    assert stream["references"] == sum(site["references"] for site in stream["sites"])
    for number, histogram in enumerate(stream["histograms"]):
        parts = {}
        for site in stream["sites"]:
            for name, count in site["histograms"][number]["bins"].items():
                parts[name] = parts.get(name, 0) + count
        assert parts == histogram["bins"], (stream["object"], number)
    if report["variant"] == "filtered" and stream["histograms"]:
        first = sum(stream["histograms"][0]["bins"].values())
        assert first + stream["no_predecessor"][0] == stream["references"]

for number, cache in enumerate(report.get("caches", [])):
    assert cache["compulsory"] + cache["capacity"] + cache["conflict"] == cache["misses"], cache
    for where in (report["streams"], [site for s in report["streams"] for site in s["sites"]]):
        assert sum(each["misses"][number] for each in where) == cache["misses"], cache
    lines = [line.get(name, [0] * 9)[number] for line in report["lines"] for name in ("load_misses", "store_misses")]
    assert sum(lines) == cache["misses"], cache
if report.get("caches"):
    assert report["caches"][0]["references"] == report["all"]["references"]
