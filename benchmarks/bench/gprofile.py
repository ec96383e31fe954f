# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads our profiles by their description (docs/profile-format.md), without our tools.

So the benchmark also tells when the description, the export or the solving of the flow
is wrong.
"""

import struct
from array import array
from dataclasses import dataclass

from .errors import BenchError

PAGE = 4096
CONTROL, SITE, COUNTER = 64, 16, 8


@dataclass
class Function:
    name: str
    blocks: list        # offsets
    edges: list         # (from, to, offset of the branch or None, counted)
    first: int          # counter


class Numbers:
    """ULEB128 numbers, one after the other."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def next(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            if byte < 0x80:
                return value
            shift += 7

    def list(self, width=1):
        return [tuple(self.next() for _ in range(width)) for _ in range(self.next())]


def _function(numbers, names):
    name = names[numbers.next()]
    blocks = [offset for offset, in numbers.list()]
    first = numbers.next()
    edges = [(source >> 1, target, branch - 1 if branch else None, bool(source & 1))
             for source, target, branch in numbers.list(3)]
    numbers.list(4)         # calls
    numbers.next()          # first site
    numbers.list()
    return Function(name, blocks, edges, first)


def functions(metadata):
    names_count, count, points, size = struct.unpack_from("<4Q", metadata)
    at = 32 + 16 * points
    names = metadata[at:at + size].split(b"\0")[:names_count]
    numbers = Numbers(metadata, at + size)
    names = [name.decode() for name in names]
    return [_function(numbers, names) for _ in range(count)]


class Profile:
    """A profile file: its functions, and the sums of its slots' counters."""

    def __init__(self, path):
        data = path.read_bytes()
        if data[:8] != b"GRAUPEL\x1a":
            raise BenchError(f"{path} is no profile of graupel-bolt")
        (size, first_slot, slot_size, _, sites,
         counters) = struct.unpack_from("<6Q", data, 64)
        self.functions = functions(data[PAGE:PAGE + size])
        self.counters = [0] * counters
        self.slots = 0
        for slot in range(first_slot, len(data), slot_size):
            start = slot + PAGE + CONTROL + SITE * sites
            values = array("Q", data[start:start + COUNTER * counters])
            self.counters = [a + b for a, b in zip(self.counters, values)]
            self.slots += 1

    def flow(self, function):
        """(edge, count) of all edges; nothing if the function was not executed."""
        counted = sum(edge[3] for edge in function.edges)
        counts = self.counters[function.first:function.first + counted]
        return zip(function.edges, solve(function, counts)) if any(counts) else ()

    def block_counts(self, function):
        """How often each block was entered."""
        blocks = [0] * (len(function.blocks) + 1)
        for (_, target, _, _), count in self.flow(function):
            blocks[target] += count
        return blocks[:-1]

    def branches(self, function):
        """(offset of a branch, offset of its target, count), as fdata has them."""
        for (_, target, branch, _), count in self.flow(function):
            if branch is not None:
                yield branch, function.blocks[target], count


def solve(function, counts):
    """Counts of all edges from the counted ones: as much flows into a block as out of it.

    The unknown edges form a forest; its leaves have one unknown edge, which follows.
    """
    known = iter(counts)
    values = [next(known) if edge[3] else None for edge in function.edges]
    nodes = len(function.blocks) + 1
    excess, unknown = [0] * nodes, [set() for _ in range(nodes)]
    for index, (source, target, _, counted) in enumerate(function.edges):
        if counted:
            excess[target] += values[index]
            excess[source] -= values[index]
        else:
            unknown[source].add(index)
            unknown[target].add(index)
    leaves = [node for node in range(nodes) if len(unknown[node]) == 1]
    while leaves:
        node = leaves.pop()
        if not unknown[node]:
            continue
        index = unknown[node].pop()
        source, target = function.edges[index][:2]
        other = source if target == node else target
        value = max(0, excess[node] if source == node else -excess[node])
        values[index] = value
        excess[target] += value
        excess[source] -= value
        unknown[other].discard(index)
        if len(unknown[other]) == 1:
            leaves.append(other)
    return [value or 0 for value in values]
