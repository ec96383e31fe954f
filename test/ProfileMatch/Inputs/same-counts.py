#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-counts.py A.yaml B.yaml FUNCTION...: the functions have the same counts of branches."""
import re
import sys


def branches(path):
    counts, function, block = {}, None, None
    for line in open(path):
        if match := re.match(r"  - name: +'?([^']*?)'?$", line):
            function = match.group(1)
            counts[function] = {}
        elif match := re.match(r" +- bid: +(\d+)", line):
            block = int(match.group(1))
        elif function:
            for to, count in re.findall(r"\{ bid: (\d+), cnt: (\d+)", line):
                if int(count):
                    counts[function][block, int(to)] = int(count)
    return counts


first, second = branches(sys.argv[1]), branches(sys.argv[2])
for name in sys.argv[3:]:
    if not first[name] or first[name] != second[name]:
        sys.exit(f"{name}: {first[name]} and {second[name]}")
