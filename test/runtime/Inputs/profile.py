#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the sums over the slots of a profile.

Usage: profile.py FILE [--slots]

`counter I N` for every count that is not 0, `site S N...` with the counts of
its targets from large to small, `dropped N`, and with --slots `slots N`.
"""

import collections
import struct
import sys

PAGE = 4096


class Profile:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        (magic, version, self.flags, self.plan, _, _, _, self.metadata_size,
         self.slots_offset, self.slot_size, self.region_size, self.site_count,
         self.counter_count, self.target_count, _, _) = struct.unpack_from(
             "<8sIIQ32sIIQQQQQQQQQ", self.data)
        assert magic == b"GRAUPEL\x1a" and version in (1, 2)
        self.slot_count = (len(self.data) - self.slots_offset) // self.slot_size
        self.counters = [0] * self.counter_count
        self.targets = collections.Counter()
        self.dropped = 0
        for slot in range(self.slot_count):
            self.add(self.slots_offset + slot * self.slot_size + PAGE)

    def add(self, region):
        self.dropped += struct.unpack_from("<Q", self.data, region + 16)[0]
        counters = region + 64 + 16 * self.site_count
        found = struct.unpack_from(f"<{self.counter_count}Q", self.data,
                                   counters)
        self.counters = [a + b for a, b in zip(self.counters, found)]
        table = region + self.region_size
        for target in range(self.target_count):
            key, count = struct.unpack_from("<QQ", self.data,
                                            table + 16 * target)
            if key:
                self.targets[key] += count


def main():
    profile = Profile(sys.argv[1])
    for index, count in enumerate(profile.counters):
        if count:
            print("counter", index, count)
    sites = collections.defaultdict(list)
    for key, count in profile.targets.items():
        sites[(key >> 40) - 1].append(count)
    for site in sorted(sites):
        print("site", site, *sorted(sites[site], reverse=True))
    if profile.dropped:
        print("dropped", profile.dropped)
    if "--slots" in sys.argv:
        print("slots", profile.slot_count)


if __name__ == "__main__":
    main()
