# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless the targets of site 0 were counted as often as counter 0."""

import sys

sums = {}
for line in open(sys.argv[1]):
    kind, index, *counts = line.split()
    sums[kind, index] = sum(map(int, counts))
assert sums["counter", "0"] == sums["site", "0"] > 0, sums
