# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless two files of fdata count the same transfers equally often. How often
a branch was mispredicted is not compared.

  same-counts.py OURS THEIRS
"""

import sys


def transfers(path):
    counts = {}
    with open(path) as file:
        for line in file:
            *place, _, count = line.split()
            counts[tuple(place)] = counts.get(tuple(place), 0) + int(count)
    return {place: count for place, count in counts.items() if count}


ours, theirs = map(transfers, sys.argv[1:])
different = [(place, ours.get(place, 0), theirs.get(place, 0))
             for place in sorted({*ours, *theirs}) if ours.get(place) != theirs.get(place)]
for place, mine, other in different:
    print(" ".join(place), "ours", mine, "theirs", other)
sys.exit(bool(different) or not ours)
