# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads .gstride files by docs/stride-record-format.md, and nothing else."""

import struct
from collections import Counter, defaultdict

MAGIC, VERSION, COMMITTED = b"GSTRIDE\n", 2, 0x4b4e4843
BINS = 137
NONE = 0xffffffff
OBJECT_KINDS = ["global", "heap", "stack", "thread-local", "pages"]


def fnv(data):
    total = 0xcbf29ce484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return total


def text(payload, offset, length):
    return payload[offset:offset + length].decode()


class Share:
    def __init__(self, payload, maxel):
        self.site, self.object, self.thread, self.warm_up = struct.unpack_from("<4I", payload)
        self.references, self.forward, self.backward = struct.unpack_from("<3Q", payload, 16)
        numbers = struct.unpack_from(f"<{2 * maxel}Q", payload, 40)
        self.none, self.none_filtered = numbers[:maxel], numbers[maxel:]
        self.rows = [Counter() for _ in range(2 * maxel)]
        self.add_tuples(payload, 40 + 16 * maxel, 6)

    def add(self, row, number, count):
        if count:
            self.rows[row][number] += count

    def add_tuples(self, payload, start, places):
        for at in range(start, start + 16 * places, 16):
            bins, count = struct.unpack_from("<QQ", payload, at)
            for lag in range(len(self.rows) // 2 if count else 0):
                only_all = lag >= (bins >> 56 & 15)
                self.add(2 * lag + only_all, bins >> 8 * lag & 255, count)


class Record:
    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:8] != MAGIC:
            raise ValueError("not a record")
        (version, self.maxel, self.threshold, self.pass_equal, self.process, self.parent,
         self.forked, self.seconds, self.nanoseconds) = struct.unpack_from("<IIQIIIIQQ", data, 8)
        if version != VERSION:
            raise ValueError("another version")
        at = 56 + 3 * 8 + 2048
        checksum, self.used, self.state, self.time = struct.unpack_from("<4Q", data, at)
        if checksum != fnv(data[:at]):
            raise ValueError("header's checksum")
        if self.used > len(data):
            raise ValueError("truncated")
        self.sites, self.objects, self.loops, self.threads = [], [], [], []
        self.shares, self.references, self.loop_counts, self.bulk = {}, defaultdict(list), [], []
        self.heap = {}
        self.caches, self.cache_counts, self.conflicts, self.sharing = None, {}, {}, []
        self.bursts = {}
        at = 4096
        while at < self.used:
            kind, live, size, checksum, _, committed = struct.unpack_from("<IIQQII", data, at)
            payload = data[at + 32:at + 32 + size]
            if committed == COMMITTED:
                if not live and fnv(payload) != checksum:
                    raise ValueError(f"checksum of chunk at {at}")
                self.chunk(at, kind, payload)
            at = (at + 32 + size + 63) // 64 * 64

    def chunk(self, at, kind, p):
        if kind == 2:
            _, first, count, _ = struct.unpack_from("<4I", p)
            assert first == len(self.sites)
            for n in range(count):
                f = struct.unpack_from("<10IHHBBBB", p, 16 + 48 * n)
                self.sites.append(dict(
                    function=text(p, *f[0:2]), within=text(p, *f[2:4]), file=text(p, *f[4:6]),
                    line=f[6], column=f[7], bytes=f[8], loop=f[9], lanes=f[10], element=f[11],
                    kind=("load", "store", "bulk load", "bulk store")[f[12]], type=f[13], flags=f[14]))
        elif kind == 3:
            _, first, count, members = struct.unpack_from("<4I", p)
            assert first == len(self.loops)
            for n in range(count):
                f = struct.unpack_from("<14I", p, 16 + 56 * n)
                self.loops.append(dict(function=text(p, *f[0:2]), line=f[6], parent=f[8],
                                       depth=f[9], members=f[11], others=f[12]))
        elif kind == 4:
            k, _, address, size, offset, name, length = struct.unpack_from("<IIQQQII", p)
            self.objects.append(dict(kind=OBJECT_KINDS[k], address=address, bytes=size,
                                     offset=offset, name=text(p, name, length)))
        elif kind == 5:
            self.threads.append(struct.unpack("<Q", p)[0])
        elif kind == 6:
            self.shares[at] = Share(p, self.maxel)
        elif kind == 7:
            share, lag, only_all = struct.unpack_from("<QII", p)
            for number, count in enumerate(struct.unpack_from(f"<{BINS}Q", p, 16)):
                self.shares[share].add(2 * (lag - 1) + only_all, number, count)
        elif kind == 13:
            self.shares[struct.unpack_from("<Q", p)[0]].add_tuples(p, 8, 29)
        elif kind == 14:
            share = self.shares[struct.unpack_from("<Q", p)[0]]
            for count, key in zip(struct.unpack_from("<39Q", p, 8),
                                  struct.unpack_from("<39I", p, 8 + 39 * 8)):
                share.add(key >> 8, key & 255, count)
        elif kind == 15:
            share = self.shares[struct.unpack_from("<Q", p)[0]]
            rows = [0, *range(2, 2 * self.maxel)]
            for number, row in enumerate(rows):
                counts = struct.unpack_from(f"<{BINS}H", p, 8 + 2 * BINS * number)
                for each, count in enumerate(counts):
                    share.add(row, each, count)
        elif kind == 8:
            self.loop_counts.append(struct.unpack("<IIQQQQ", p))
        elif kind == 9:
            self.bulk.append(struct.unpack("<4IQQ", p))
        elif kind == 10:
            thread, count, _ = struct.unpack_from("<IIQ", p)
            self.references[thread] += struct.iter_unpack("<QII", p[16:16 + 16 * count])
        elif kind == 12:
            thread, group, burst, every, bursts, inside, references = struct.unpack("<IIQQQQQ", p)
            self.bursts[thread] = dict(group=group, burst=burst, every=every, bursts=bursts,
                                       inside=inside, references=references)
        elif kind == 11:
            number, _, blocks, size = struct.unpack("<IIQQ", p)
            self.heap[number] = (blocks, size)
        elif kind == 64:
            count, reuse, entries, ways, page = struct.unpack_from("<IIIIQ", p)
            detail, = struct.unpack_from("<I", p, 24)
            levels = [struct.unpack_from("<8sQ6I", p, 32 + 40 * n) for n in range(count)]
            self.caches = dict(levels=levels, reuse=reuse, entries=entries, ways=ways, page=page,
                               detail=detail)
        elif kind == 65:
            site, number, thread, _, *counts = struct.unpack("<4I48Q", p)
            before = self.cache_counts.get((site, number), [0] * 48)
            self.cache_counts[site, number] = tuple(a + b for a, b in zip(before, counts))
        elif kind == 66:
            level, victim, evictor, _, misses = struct.unpack("<4IQ", p)
            self.conflicts[level, victim, evictor] = misses
        elif kind == 67:
            self.sharing.append(struct.unpack("<QQ4IQQQQQ", p))

    def weight(self, share):
        """How many references stand for each that was in a burst."""
        if not self.bursts:
            return 1
        part = self.bursts[share.thread]
        return part["references"] / part["inside"]

    def name(self, number):
        o = self.objects[number]
        return o["name"] or o["kind"] + hex(o["offset"])

    def streams(self, variant="filtered", maxel=None):
        """{(object, kind): (references, [Counter of bins a lag])}"""
        result = {}
        for s in self.shares.values():
            key = self.name(s.object), self.sites[s.site]["kind"]
            total, lags = result.get(key, (0, [Counter() for _ in range(maxel or self.maxel)]))
            for lag, counts in enumerate(lags):
                counts.update(s.rows[2 * lag])
                if variant == "all":
                    counts.update(s.rows[2 * lag + 1])
            result[key] = total + s.references, lags
        return result


def bin_of(distance):
    return distance if distance < 128 else 128 + min(distance.bit_length() - 8, 8)


def histograms(addresses, variant="filtered", maxel=5, threshold=128):
    """The published algorithm, word by word."""
    lags = [Counter() for _ in range(maxel)]
    history = []
    for address in addresses:
        for lag in range(maxel):
            if lag >= len(history):
                break
            distance = abs(address - history[-1 - lag])
            lags[lag][bin_of(distance)] += 1
            if variant == "filtered" and distance <= threshold:
                break
        history.append(address)
        if len(history) > maxel:
            history.pop(0)
    return lags


if __name__ == "__main__":
    import sys
    record = Record(sys.argv[1])
    print("state", record.state)
    for (name, kind), (total, lags) in sorted(record.streams().items()):
        print(name, kind, total, [dict(sorted(bins.items())) for bins in lags])
