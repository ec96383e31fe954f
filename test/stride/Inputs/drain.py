# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what a program's record counts with its references one by one.

usage: drain.py PROGRAM WORK-FOLDER [SELECTION]

The program runs twice, the second time with GRAUPEL_STRIDE=stream, which writes all
references in their order. Histograms of these, by the published algorithm, must
equal those of the first record, share by share."""

import os
import subprocess
import sys
from collections import Counter, defaultdict

import gstride


def record(program, folder, selection):
    path = os.path.join(folder, (selection or "counted") + ".gstride")
    subprocess.check_call([program], env={**os.environ, "GRAUPEL_STRIDE": selection,
                                          "GRAUPEL_STRIDE_OUT": path})
    return gstride.Record(path)


def identity(r, number):
    """Numbers are given in the order in which objects are found, addresses change."""
    o = r.objects[number]
    return o["kind"], o["name"], o["offset"], o["bytes"]


def counted(r):
    """{(site, object): (references, rows)}"""
    result = {}
    for s in r.shares.values():
        if s.references:
            rows = [{b: n for b, n in row.items() if n} for row in s.rows]
            result[s.site, identity(r, s.object)] = s.references, s.forward, s.backward, rows, s.none
    return result


def expected(r):
    maxel, threshold = r.maxel, r.threshold
    counts = {}
    history = defaultdict(list)
    for thread, references in r.references.items():
        for address, site, number in references:
            past = history[thread, number, r.sites[site]["kind"]]
            share = counts.setdefault((site, identity(r, number)),
                                      [0, 0, 0, [Counter() for _ in range(2 * maxel)], [0] * maxel])
            share[0] += 1
            passes = True
            for lag in range(maxel):
                if lag == len(past):
                    share[4][lag] += 1
                    break
                distance = abs(address - past[-1 - lag])
                share[3][2 * lag + (not passes)][gstride.bin_of(distance)] += 1
                passes = passes and distance > threshold
            if past:
                share[1] += address > past[-1]
                share[2] += address < past[-1]
            past.append(address)
            del past[:-maxel]
    return {key: (n, f, b, [dict(row) for row in rows], tuple(none))
            for key, (n, f, b, rows, none) in counts.items()}


def main():
    program, folder, *rest = sys.argv[1:]
    selection = rest[0] if rest else ""
    os.makedirs(folder, exist_ok=True)
    found = counted(record(program, folder, selection))
    right = expected(record(program, folder, ",".join(filter(None, [selection, "stream"]))))
    wrong = [key for key in sorted(set(found) | set(right)) if found.get(key) != right.get(key)]
    for key in wrong:
        print(f"{key}:\n  counted  {found.get(key)}\n  expected {right.get(key)}")
    print(f"{len(right)} shares, {sum(s[0] for s in right.values())} references, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not right)


if __name__ == "__main__":
    main()
