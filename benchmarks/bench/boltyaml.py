# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the YAML that llvm-bolt writes of a profile (`-w`): counts of blocks and branches.

Only what llvm-bolt itself writes, line by line: a general YAML reader takes minutes for it.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field

NAME = re.compile(r"  - name: +'?(.*?)'?$")
BLOCK = re.compile(r"      - bid: +(\d+)")
FIELD = re.compile(r"        (insns|exec): +(\d+)")
BRANCH = re.compile(r"\{ bid: (\d+), cnt: (\d+)")


@dataclass
class Counts:
    """Of one program; a block is (function, number)."""
    sizes: dict = field(default_factory=dict)       # block: instructions
    blocks: dict = field(default_factory=dict)      # block: executions
    edges: dict = field(default_factory=dict)       # (block, block): executions

    def executed(self, sizes):
        """{block: executed instructions}"""
        return {b: count * sizes.get(b, 1) for b, count in self.blocks.items() if count}

    def renamed(self, names):
        """The same with other names for functions."""
        def other(block):
            return names.get(block[0], block[0]), block[1]
        return Counts({other(b): s for b, s in self.sizes.items()},
                      {other(b): c for b, c in self.blocks.items()},
                      {(other(a), other(b)): c for (a, b), c in self.edges.items()})


def read(path):
    """The counts in a file. Where a block has none of its own, its branches tell."""
    counts, function, block = Counts(), None, None
    into, out = defaultdict(int), defaultdict(int)
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if match := NAME.match(line):
                function, block = match.group(1), None
            elif match := BLOCK.match(line):
                block = (function, int(match.group(1)))
                counts.blocks[block] = 0
            elif block is None:
                continue
            elif match := FIELD.match(line):
                table = counts.sizes if match.group(1) == "insns" else counts.blocks
                table[block] = int(match.group(2))
            else:
                for target, count in BRANCH.findall(line):
                    to = (function, int(target))
                    counts.edges[block, to] = int(count)
                    into[to] += int(count)
                    out[block] += int(count)
    for block in {*counts.blocks, *into}:
        counts.blocks[block] = max(counts.blocks.get(block, 0), into[block], out[block])
    return counts


def overlap(one, other):
    """The share of two distributions that is the same, 0 to 1."""
    all_one, all_other = sum(one.values()), sum(other.values())
    if not all_one or not all_other:
        return 0.0
    return sum(min(one.get(key, 0) / all_one, count / all_other) for key, count in other.items())
