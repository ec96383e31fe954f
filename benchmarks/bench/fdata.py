# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BOLT's text profile (fdata) as counts by place, so that two profiles can be compared.

A line is `1 from-function offset 1 to-function offset mispredictions count`, offsets in
hexadecimal; `0 [unknown] 0` stands for a place outside of the program's functions.
"""

from collections import Counter
from dataclasses import dataclass, field

from .errors import BenchError

OUTSIDE = "[unknown]"


@dataclass
class Fdata:
    """Counts by place. Loops to the entry of a function count as calls: fdata has no
    difference between them and recursion."""
    edges: Counter = field(default_factory=Counter)     # (function, from, to)
    calls: Counter = field(default_factory=Counter)     # (function, from, callee, offset)
    entries: Counter = field(default_factory=Counter)   # (function, offset)

    def functions(self):
        """All functions that something was counted in."""
        return {key[0] for kind in (self.edges, self.calls, self.entries) for key in kind}

    def add(self, line):
        # Names may hold spaces, which are escaped.
        words = line.rstrip("\n").replace("\\ ", "\0").split(" ")
        if len(words) != 8:
            raise BenchError(f"not a line of fdata: {line!r}")
        source, target = words[1].replace("\0", " "), words[4].replace("\0", " ")
        start, end, count = int(words[2], 16), int(words[5], 16), int(words[7])
        if source == OUTSIDE:
            self.entries[target, end] += count
        elif source == target and end != 0:
            self.edges[source, start, end] += count
        else:
            self.calls[source, start, target, end] += count


def read(*paths):
    """The sum of some files; those of one program's processes, say."""
    profile = Fdata()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                profile.add(line)
    return profile


@dataclass
class Difference:
    """Where two sets of counts agree, and where they do not."""
    equal: int
    differ: dict        # key: (ours, theirs), 0 where one has none


def compare(ours, theirs, wanted=lambda key: True):
    """Compare two counters over the keys that either has."""
    keys = [key for key in {**ours, **theirs} if wanted(key)]
    differ = {key: (ours.get(key, 0), theirs.get(key, 0)) for key in keys
              if ours.get(key, 0) != theirs.get(key, 0)}
    return Difference(len(keys) - len(differ), differ)
