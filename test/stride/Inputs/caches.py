# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates the caches of a record that has its references, too, and compares.

usage: caches.py RECORD.gstride...

The record is of one thread (GRAUPEL_STRIDE=cache=LEVELS,stream). What it counted
must equal, to the count, what a plain simulation of its Stream chunks gives."""

import struct
import sys
from collections import Counter, OrderedDict, defaultdict

import gstride

LEVELS, REUSE_BINS, NONE = 4, 28, 0xffffffff


class Random:
    """As the runtime has it: xorshift64*."""

    def __init__(self):
        self.state = 0x9e3779b97f4a7c15

    def below(self, bound):
        s = self.state
        s ^= s >> 12
        s = (s ^ s << 25) & (1 << 64) - 1
        s ^= s >> 27
        self.state = s
        return ((s * 0x2545f4914f6cdd1d & (1 << 64) - 1) >> 32) * bound >> 32


class Sets:
    """Lines by set. LRU: the latest last. Random: by their ways."""

    def __init__(self, lines, ways, lru):
        self.ways, self.lru, self.count = ways, lru, lines // ways
        self.sets, self.chance = defaultdict(OrderedDict), Random()
        self.at_way = defaultdict(list)

    def refer(self, block):
        """None if it is there, else (block that goes, or None)."""
        lines, ways = self.sets[block % self.count], self.at_way[block % self.count]
        if block in lines:
            lines.move_to_end(block)
            return None
        gone = None
        if len(lines) < self.ways:
            ways.append(block)
        elif self.lru:
            gone = lines.popitem(last=False)[0]
        else:
            way = self.chance.below(self.ways)
            gone, ways[way] = ways[way], block
            del lines[gone]
        lines[block] = True
        return (gone,)


def is_sampled(block, shift):
    return (block * 0x9e3779b97f4a7c15 & (1 << 64) - 1) >> (64 - shift) == 0


class Level:
    def __init__(self, record, first):
        self.first = first
        (self.name, self.bytes, self.ways, self.line, policy, self.shared,
         self.shift, _) = record
        lines = self.bytes // self.line
        self.sets = Sets(lines, self.ways, policy == 0)
        self.ideal = Sets(max(lines >> self.shift, 1), max(lines >> self.shift, 1), True)
        self.is_ideal = lines == self.ways and policy == 0
        self.known, self.evictor = set(), {}

    def sampled(self, block):
        if self.first:
            return is_sampled(block, self.shift)
        return (block * 0xd6e8feb86659fd93 & (1 << 64) - 1) >> 40 & (1 << self.shift) - 1 == 0

    def refer(self, address, size, object_number, watch=None):
        """The class of the first line that misses, and who drove it out. One line
        comes after the other: the second may drive out the first, which was used."""
        first = None
        for block in range(address // self.line, (address + size - 1) // self.line + 1):
            inside = None
            if self.sampled(block):
                inside = self.ideal.refer(block) is None
            gone = self.sets.refer(block)
            if watch:
                watch(block, gone)
            if gone is None:
                continue
            kind = "capacity"
            if block not in self.known:
                kind = "compulsory"
            elif not self.is_ideal:
                kind = "unknown" if inside is None else "conflict" if inside else "capacity"
            self.known.add(block)
            first = first or (kind, self.evictor.get(block))
            if gone[0] is not None:
                self.evictor[gone[0]] = object_number
        return first


def simulate(record, caches):
    levels = [Level(each, n == 0) for n, each in enumerate(caches["levels"])]
    tlb = caches["entries"] and Sets(caches["entries"], caches["ways"], True)
    counts = defaultdict(lambda: dict(levels=[Counter() for _ in levels], tlb=0, left=0, parts=0,
                                      first=0, reuse=Counter()))
    pairs, fetched, order = Counter(), {}, []
    line = levels[0].line

    def reuse_of(block, into):
        if not is_sampled(block, caches["reuse"]):
            return
        if block in order:
            into["reuse"][(len(order) - 1 - order.index(block)).bit_length()] += 1
            order.remove(block)
        else:
            into["first"] += 1
        order.append(block)

    def leave(block):
        by, used = fetched.pop(block)
        if not is_sampled(block, caches["detail"]):
            return
        by["left"] += 1
        by["parts"] += len(used)

    (references,) = record.references.values()
    for address, site, object_number in references:
        size = record.sites[site]["bytes"]
        into = counts[site, object_number]

        def watch(block, gone):
            if gone and gone[0] is not None:
                leave(gone[0])
            if gone:
                fetched[block] = into, set()
            for byte in range(max(address, block * line), min(address + size, (block + 1) * line)):
                fetched[block][1].add(byte % line // max(1, line // 64))

        for n, level in enumerate(levels):
            missed = level.refer(address, size, object_number, watch if n == 0 else None)
            if n == 0:
                for block in range(address // line, (address + size - 1) // line + 1):
                    reuse_of(block, into)
            if not missed:
                break
            into["levels"][n]["misses"] += 1
            into["levels"][n][missed[0]] += 1
            if missed[0] == "conflict":
                pairs[n, object_number, missed[1]] += 1
        if tlb:
            pages = range(address // caches["page"], (address + size - 1) // caches["page"] + 1)
            into["tlb"] += any([tlb.refer(page) is not None for page in pages])
    for block in list(fetched):
        leave(block)
    return counts, pairs


def compare(path):
    record = gstride.Record(path)
    caches, measured, pairs = record.caches, record.cache_counts, record.conflicts
    expected, expected_pairs = simulate(record, caches)
    wrong = 0

    def check(what, a, b):
        nonlocal wrong
        if a != b:
            wrong += 1
            print(f"{path}: {what}: {a}, simulated {b}")

    for key in sorted(set(measured) | set(expected)):
        e = expected[key]
        flat = [c[k] for c in e["levels"] for k in ("misses", "compulsory", "capacity", "conflict")]
        m = measured.get(key, (0,) * (4 * LEVELS + 4 + REUSE_BINS))
        check(f"{key} levels", list(m[:len(flat)]), flat)
        rest = m[4 * LEVELS:]
        check(f"{key} tlb", rest[0], e["tlb"])
        check(f"{key} lines left, parts used", rest[1:3], (e["left"], e["parts"]))
        check(f"{key} first uses", rest[3], e["first"])
        check(f"{key} reuse", {n: c for n, c in enumerate(rest[4:]) if c}, dict(e["reuse"]))
    check("conflicts", pairs, dict(expected_pairs))
    total = [sum(e["levels"][n]["misses"] for e in expected.values()) for n in range(len(caches["levels"]))]
    print(f"{sum(len(r) for r in record.references.values())} references, misses {total}, "
          f"{sum(expected_pairs.values())} conflicts, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(sum([compare(path) for path in sys.argv[1:]]) != 0)
