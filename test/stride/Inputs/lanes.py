# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lanes.py REPORT OUTPUT [WIDTH]: whether active lanes, and they alone, are counted."""

import json
import sys
from collections import Counter

sys.path.insert(0, __file__.rpartition("/")[0])
from gstride import histograms

report = json.load(open(sys.argv[1]))
active, positive = map(int, open(sys.argv[2]).read().split())
width = int(sys.argv[3]) if len(sys.argv) > 3 else 1
N = 1024
streams = {(s["object"], s["kind"]): s for s in report["streams"]}


def name(number):
    if number < 128:
        return str(number)
    if number == 136:
        return ">=32768"
    return f"{128 << number - 128}-{(256 << number - 128) - 1}"


def check(stream, addresses):
    s = streams[stream]
    assert s["references"] == len(addresses), (stream, s["references"], len(addresses))
    for lag, bins in enumerate(histograms(addresses)):
        found = s["histograms"][lag]["bins"]
        assert found == {name(n): count for n, count in bins.items()}, (stream, lag, found, bins)


def lanes(i):
    return [lane for lane in range(8) if i // 8 * 37 >> lane & 1]


vectors = range(0, N, 8)
side_by_side = [8 * (i + lane) for i in vectors for lane in lanes(i)]
anywhere = [8 * ((i + 5 * lane) % N) for i in vectors for lane in lanes(i)]
check(("masked", "load"), side_by_side)
check(("target", "store"), side_by_side)
check(("gathered", "load"), anywhere)
check(("scattered", "store"), anywhere)
check(("packed", "load"), [8 * n for n in range(active)])
check(("squeezed", "store"), [8 * n for n in range(active)])
check(("chosen", "store"), [8 * n for n in range(0, N, 3)])
assert positive == len(range(0, N, 3))
sites = {o: streams[o, k]["sites"] for o, k in streams}
for data, flag in (("masked", "masked"), ("gathered", "gathered"), ("scattered", "gathered"),
                   ("packed", "masked"), ("squeezed", "masked")):
    assert all(site[flag] and site["lanes"] == 8 for site in sites[data]), (data, sites[data])
if width > 1:
    assert any(site["masked"] and site["lanes"] == width for site in sites["chosen"]), sites["chosen"]
