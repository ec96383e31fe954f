# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads profiles as docs/profile-format.md describes them, without Graupel."""

import collections
import struct

PAGE = 4096


class Numbers:
    """ULEB128 numbers, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def next(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def many(self):
        return [self.next() for _ in range(self.next())]


class Function:
    def __init__(self, numbers, names):
        self.name = names[numbers.next()]
        self.blocks = numbers.many()
        self.first_counter = numbers.next()
        self.edges = []
        for _ in range(numbers.next()):
            origin, to, _ = numbers.next(), numbers.next(), numbers.next()
            self.edges.append((origin >> 1, to, origin & 1))
        self.calls = [[numbers.next() for _ in range(4)] for _ in range(numbers.next())]
        self.first_site = numbers.next()
        self.sites = numbers.many()

    def flow(self, counters):
        """How often each edge was taken: as much flows in as out."""
        counts, counter = [None] * len(self.edges), self.first_counter
        for index, (_, _, counted) in enumerate(self.edges):
            if counted:
                counts[index] = counters[counter]
                counter += 1
        ends = collections.defaultdict(list)
        for index, (origin, to, _) in enumerate(self.edges):
            if origin != to:
                ends[origin].append((index, 1))
                ends[to].append((index, -1))
        while None in counts:
            before = counts.count(None)
            for edges in ends.values():
                missing = [(index, sign) for index, sign in edges if counts[index] is None]
                if len(missing) == 1:
                    index, sign = missing[0]
                    counts[index] = -sign * sum(s * counts[i] for i, s in edges if i != index)
            if counts.count(None) == before:
                raise ValueError(f"{self.name}: the counts do not determine the flow")
        return counts

    def entries(self, counters):
        """How often the function was entered at its start."""
        outside = len(self.blocks)
        return sum(count for (origin, to, _), count in zip(self.edges, self.flow(counters))
                   if origin == outside and to < outside and self.blocks[to] == 0)


class Profile:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = data = file.read()
        (magic, version, self.flags, self.plan, self.build_id, _, _, metadata_size,
         slots_offset, slot_size, region_size, site_count, counter_count, target_count,
         _, _) = struct.unpack_from("<8sIIQ32sIIQQQQQQQQQ", data)
        assert magic == b"GRAUPEL\x1a" and version in (1, 2)
        self.read_metadata(data[PAGE:PAGE + metadata_size])
        self.counters = [0] * counter_count
        self.targets = collections.Counter()
        self.dropped = self.slots = 0
        for slot in range(slots_offset, len(data), slot_size):
            self.slots += 1
            region = slot + PAGE
            self.dropped += struct.unpack_from("<Q", data, region + 16)[0]
            found = struct.unpack_from(f"<{counter_count}Q", data,
                                       region + 64 + 16 * site_count)
            self.counters = [a + b for a, b in zip(self.counters, found)]
            for at in range(region + region_size,
                            region + region_size + 16 * target_count, 16):
                key, count = struct.unpack_from("<QQ", data, at)
                if key:
                    self.targets[key] += count

    def read_metadata(self, metadata):
        names, functions, entries, names_size = struct.unpack_from("<4Q", metadata)
        at = 32 + 16 * entries
        texts = metadata[at:at + names_size].decode().split("\0")[:-1]
        assert len(texts) == names
        numbers = Numbers(metadata[at + names_size:])
        self.functions = [Function(numbers, texts) for _ in range(functions)]
        if numbers.at < len(numbers.data):      # Shapes of blocks, since format 2.
            for _ in range(sum(len(f.blocks) for f in self.functions)):
                numbers.at += 12
                numbers.next()
        assert numbers.at == len(numbers.data)

    def named(self, name):
        """All functions of this name; local ones have a suffix."""
        return [f for f in self.functions if f.name.split("/")[0] == name]

    def entries(self, name):
        return sum(f.entries(self.counters) for f in self.named(name))

    def flow(self, name):
        return [count for f in self.named(name) for count in f.flow(self.counters)]
