# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the record of a large program that nobody ran, and its sources.

    large_record.py RECORD FOLDER [--sites=10000] [--lines=1000000]

Everything but the figures is as a runtime would write it; the figures come from
a generator of numbers that always makes the same ones.
"""

import argparse
import os
import random
import struct

COMMITTED, LIVE = 0x4b4e4843, 1
MAXEL, NONE = 5, 0xffffffff
SITES_A_FILE = 40


def fnv(data):
    total = 0xcbf29ce484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return total


class Texts:
    """Text behind a chunk's structures."""

    def __init__(self, offset):
        self.offset, self.data, self.known = offset, bytearray(), {}

    def place(self, text):
        if text not in self.known:
            self.known[text] = self.offset + len(self.data), len(text.encode())
            self.data += text.encode()
        return self.known[text]


class Record:
    def __init__(self, program):
        self.chunks = bytearray()
        self.program = program

    def chunk(self, kind, payload, live=0):
        self.chunks += struct.pack("<IIQQII", kind, live, len(payload),
                                   0 if live else fnv(payload), 0, COMMITTED)
        self.chunks += payload
        self.chunks += bytes(-len(self.chunks) % 64)

    def table(self, kind, module, entries, layout, texts, members=()):
        size = 16 + struct.calcsize(layout) * len(entries) + 24 * len(members)
        place = Texts(size)
        payload = bytearray(struct.pack("<4I", module, 0, len(entries), len(members)))
        for names, facts in zip(texts, entries):
            found = [number for name in names for number in place.place(name)]
            payload += struct.pack(layout, *found, *facts)
        for member in members:
            payload += struct.pack("<IIqQ", *member)
        self.chunk(kind, bytes(payload + place.data))

    def object(self, kind, address, size, name):
        text = name.encode()
        self.chunk(4, struct.pack("<IIQQQII", kind, 0, address, size, 0, 40, len(text)) + text)

    def share(self, site, number, references, lags):
        """`lags`: for each, bins by what filtered counts."""
        offset = 4096 + len(self.chunks)
        payload = bytearray(struct.pack("<4I3Q", site, number, 0, 0, references, references // 2, 0))
        none = [1] + [0] * (MAXEL - 1)
        payload += struct.pack(f"<{2 * MAXEL}Q", *none, *none)
        self.chunk(6, bytes(payload) + bytes(6 * 16), LIVE)
        bins = [(2 * lag << 8 | number, count)
                for lag, counts in enumerate(lags) for number, count in counts.items()]
        bins += [(0, 0)] * (39 - len(bins))
        self.chunk(14, struct.pack("<40Q39I4x", offset, *(count for _, count in bins),
                                   *(key for key, _ in bins)), LIVE)

    def write(self, path):
        strings = self.program.encode()
        at = 56 + 3 * 8
        texts = struct.pack("<6I", at, len(strings), at, 0, at, 0)
        head = struct.pack("<8sIIQIIIIQQ", b"GSTRIDE\n", 2, MAXEL, 128, 0, 4711, 1, 0, 1, 0)
        head += texts + strings.ljust(2048, b"\0")
        head += struct.pack("<4Q", fnv(head), 4096 + len(self.chunks), 1, 10**9)
        with open(path, "wb") as out:
            out.write(head.ljust(4096, b"\0") + self.chunks)


LINES = [
    "    pressure[i][j][k] += weight * (flux_east[i][j][k] - flux_west[i - 1][j][k]) / volume;",
    "      sum += row[j];",
    "    if (mesh->cell[index[i]].neighbor[direction] != mesh->boundary) "
    "mesh->cell[index[i]].value = interpolate(mesh, index[i], direction, time_step);",
    "  *destination++ = *source++;",
    "\tnode->next->previous = node->previous; // a comment that says why, at some length",
]
NAMES = ["pressure", "flux_east", "_ZN7physics6detail4grid14PressureTensorE", "mesh_cells", "index",
         "_ZN5Eigen8internal27generic_dense_assignment_kernelINS_6MatrixIdLin1ELin1EEEE5tableE",
         "_QMclimateEocean_temperature", "main:temporary_workspace_of_the_solver"]
WALKS = [
    lambda n: [{8: n - 1}],                                      # side by side
    lambda n: [{0: n // 2, 8: n // 2}],                          # each twice
    lambda n: [{131: n - 1}, {132: n - 1}, {132: n - 2}],        # a column
    lambda n: [{136: n // 2, 133: n // 4, 64: n // 4}, {136: n // 2, 24: n // 4}, {136: n // 2}],
    lambda n: [{64: n - 1}],                                     # a member
    lambda n: [{bin: n // 7 for bin in (4, 12, 40, 130, 134, 135, 136)}],
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("record")
    parser.add_argument("folder")
    parser.add_argument("--sites", type=int, default=10000)
    parser.add_argument("--lines", type=int, default=1000000)
    options = parser.parse_args()
    draw = random.Random(22)
    files = max(1, options.sites // SITES_A_FILE)
    length = options.lines // files
    sites, site_texts, loops, loop_texts = [], [], [], []
    for number in range(files):
        part = f"component{number % 25}"
        folder = os.path.join(os.path.abspath(options.folder), part, "source")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"module_{number}.c")
        with open(path, "w") as source:
            source.write("".join(LINES[(number + n) % len(LINES)] + "\n" for n in range(length)))
        places = sorted(draw.sample(range(1, length + 1), SITES_A_FILE // 2))
        for n in range(SITES_A_FILE):
            function = f"_ZN7physics{len(part)}{part}8update_{n % 8}EPKdS1_Pdl"
            if n % 4 == 0:
                loops.append((places[n // 2], 3, NONE, 1 + n % 3, 0, 0, 0, 0))
                loop_texts.append((function, function, path))
            size, lanes = draw.choice([(8, 1), (4, 1), (32, 4), (8, 4)])
            sites.append((places[n // 2], 5 + n % 2, size, len(loops) - 1, lanes, min(size, 8) if lanes == 1 else 8,
                          n % 3 == 2, 1, 2 if (size, lanes) == (8, 4) else 0, 0))
            site_texts.append((function, function, path))
    record = Record("/home/somebody/projects/climate-model/build-release/bin/climate")
    module = b"/home/somebody/climate"
    record.chunk(1, struct.pack("<3Q4I", 1 << 22, 1 << 22, 1 << 24, 40, len(module), 40 + len(module), 0) + module)
    record.table(2, 0, sites, "<6I4IHHBBBB", site_texts)
    record.table(3, 0, loops, "<6I8I", loop_texts)
    record.chunk(5, struct.pack("<2Q", 4711, 0))
    objects = max(8, options.sites // 5)
    for number in range(objects):
        name = NAMES[number % len(NAMES)]
        kind = 2 if ":" in name else 0
        name += f"_{number}" if kind or name[0] != "_" else ""
        record.object(kind, (1 << 22) + (number << 12), draw.choice([4096, 1 << 20, 1 << 24]), name)
    ranks = draw.sample(range(len(sites)), len(sites))
    for number, rank in enumerate(ranks):
        references = int(10**10 / (rank + 1) ** 1.2) + 100
        record.share(number, draw.randrange(objects), references, draw.choice(WALKS)(references))
    for number in range(len(loops)):
        runs = draw.randrange(1, 10**6)
        record.chunk(8, struct.pack("<IIQQQQ", number, 0, runs, runs * 1000, 1000, 1000), LIVE)
    record.write(options.record)


main()
