# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to damage Graupel's own profiles (docs/profile-format.md). Most are sealed
anew by profile-reseal, so that the damage gets past the checksums to what reads
the numbers. Each takes an Image and a random.Random and says what it did."""

import copy
import os
import shutil
import struct
import subprocess

PAGE = 4096
HEADER = struct.Struct("<8sIIQ32sIIQQQQQQQQQ")
FIELDS = ["magic", "version", "flags", "plan", "build_id", "build_id_size", "reserved",
          "metadata_size", "slots_offset", "slot_size", "region_size", "site_count",
          "counter_count", "target_count", "slots_checksum", "checksum"]
NUMBERS = [0, 1, 2, 3, 31, 33, 0x7f, 0x80, 0xfff, 0x1000, 0x1001, 0xffff, 0x7fffffff,
           0x80000000, 0xffffffff, 0x100000000, (1 << 40) - 1, 1 << 40, (1 << 40) + 1, 1 << 48,
           0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff]
NAMES = [b"", b"\n", b"a b", b"\\", b"a\\", b"main\n1 main 0 1 main 0 0 5", b"[unknown]", b"\xff\xfe",
         b"%s%n", b"main", b"x" * 100000, b"\t", b"no_lbr", b"\r"]


def pages(size):
    return -(-size // PAGE) * PAGE


def uleb(value):
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7f
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def rows(self, width):
        return [[self.number() for _ in range(width)] for _ in range(self.number())]


class Function:
    """Tables of numbers, as the format has them; `lies` are added to their sizes."""
    TABLES = {"blocks": 1, "edges": 3, "calls": 4, "sites": 1}

    def __init__(self, reader):
        self.name = reader.number()
        self.blocks = reader.rows(1)
        self.first_counter = reader.number()
        self.edges = reader.rows(3)
        self.calls = reader.rows(4)
        self.first_site = reader.number()
        self.sites = reader.rows(1)
        self.lies = {}

    def encode(self):
        def table(name):
            rows = getattr(self, name)
            return [max(0, len(rows) + self.lies.get(name, 0)), *(n for row in rows for n in row)]
        numbers = [self.name, *table("blocks"), self.first_counter, *table("edges"),
                   *table("calls"), self.first_site, *table("sites")]
        return b"".join(uleb(n) for n in numbers)

    def counted(self):
        return sum(row[0] & 1 for row in self.edges)


class Image:
    """A profile in parts; bytes() puts them together again."""

    def __init__(self, data):
        self.header = dict(zip(FIELDS, HEADER.unpack_from(data)))
        metadata = data[PAGE:PAGE + self.header["metadata_size"]]
        self.fixed = list(struct.unpack_from("<4Q", metadata))
        names, functions, points, size = self.fixed
        self.points = [list(struct.unpack_from("<qII", metadata, 32 + 16 * i))
                       for i in range(points)]
        begin = 32 + 16 * points
        self.names = metadata[begin:begin + size].split(b"\0")[:-1]
        reader = Reader(metadata[begin + size:])
        self.functions = [Function(reader) for _ in range(functions)]
        slots = data[self.header["slots_offset"]:]
        size = self.header["slot_size"]
        self.slots = [bytearray(slots[at:at + size]) for at in range(0, len(slots), size)]
        self.raw = None        # bytes in place of the encoded metadata
        self.extra_fixed = {}  # lies in the fixed part
        self.sizes = {}        # lies in the header

    def metadata(self):
        if self.raw is not None:
            return self.raw
        names = b"".join(name + b"\0" for name in self.names)
        fixed = [len(self.names), len(self.functions), len(self.points), len(names)]
        for index, value in self.extra_fixed.items():
            fixed[index] = value & ((1 << 64) - 1)
        points = b"".join(struct.pack("<QII", a & ((1 << 64) - 1), f & 0xffffffff, o & 0xffffffff)
                          for a, f, o in self.points)
        return (struct.pack("<4Q", *fixed) + points + names
                + b"".join(f.encode() for f in self.functions))

    def renumber(self):
        """Makes all numbers of counters and sites right, so that a graph that makes
        no sense is one that could be."""
        counters = sites = 0
        for function in self.functions:
            function.first_counter, function.first_site = counters, sites
            counters += function.counted()
            sites += len(function.sites)
        self.header["counter_count"], self.header["site_count"] = counters, sites
        self.header["region_size"] = pages(64 + 16 * sites + 8 * counters)
        self.header["slot_size"] = (PAGE + self.header["region_size"]
                                    + pages(16 * self.header["target_count"]))
        self.slots = [slot.ljust(self.header["slot_size"], b"\0")[:self.header["slot_size"]]
                      for slot in self.slots]

    def bytes(self, seal=True):
        metadata = self.metadata()
        self.header["metadata_size"] = len(metadata)
        self.header["slots_offset"] = PAGE + pages(len(metadata))
        self.header.update(self.sizes)
        data = (HEADER.pack(*(self.header[f] for f in FIELDS)).ljust(PAGE, b"\0")
                + metadata.ljust(pages(len(metadata)), b"\0") + b"".join(self.slots))
        return reseal(data) if seal else data


def reseal(data):
    here = os.path.dirname(os.path.abspath(__file__))
    built = os.path.join(here, os.pardir, os.pardir, "build", "bin", "profile-reseal")
    tool = shutil.which("profile-reseal") or built
    return subprocess.run([tool], input=data, stdout=subprocess.PIPE, check=True).stdout


def another(old, rng):
    return max(0, rng.choice([rng.choice(NUMBERS), old + rng.choice([-2, -1, 1, 2, 64]),
                              old ^ 1 << rng.randrange(33), old * 2, rng.getrandbits(64)]))


def sizes(image, rng):
    """The sizes and counts of the header, also several that fit together."""
    field = rng.choice(FIELDS[7:14])
    value = another(image.header[field], rng)
    image.sizes[field] = value & ((1 << 64) - 1)
    if rng.random() < .5:  # a region for a count that nothing else knows of
        counts = {f: image.sizes.get(f, image.header[f]) for f in FIELDS[11:14]}
        region = pages(64 + 16 * counts["site_count"] + 8 * counts["counter_count"])
        slot = PAGE + region + pages(16 * counts["target_count"])
        image.sizes.update({k: v & ((1 << 64) - 1) for k, v in
                            {**counts, "region_size": region, "slot_size": slot}.items()})
        if rng.random() < .7:
            image.slots = []
        elif slot < 1 << 20:
            image.slots = [s.ljust(slot, b"\0")[:slot] for s in image.slots]
    return f"{field} = {value:#x}, {len(image.slots)} slots"


def identity(image, rng):
    kind = rng.randrange(5)
    if kind == 0:
        image.header["build_id"] = rng.randbytes(32)
    elif kind == 1:
        image.header["build_id_size"] = rng.choice([0, 1, 31, 32, 33, 255, 0xffffffff])
    elif kind == 2:
        image.header["version"] = rng.choice([0, 2, 255, 0xffffffff])
    elif kind == 3:
        image.header["flags"] = rng.choice([1, 2, 3, 0x80000000, 0xffffffff])
    else:
        image.header["magic"] = rng.choice([b"GRAUPEL\0", b"graupel\x1a", b"\0" * 8])
    return f"identity {kind}"


def numbers(image, rng):
    notes = []
    for _ in range(rng.choice([1, 1, 2, 5]) if image.functions else 0):
        function = rng.choice(image.functions)
        table = rng.choice([t for t in Function.TABLES if getattr(function, t)] or ["name"])
        kind = rng.randrange(6)
        if kind == 0 or table == "name":
            field = rng.choice(["name", "first_counter", "first_site"])
            setattr(function, field, another(getattr(function, field), rng))
        elif kind == 1:
            function.lies[table] = rng.choice([-1, 1, 127, 1 << 20, 1 << 32, 1 << 63])
            field = table + " miscounted"
        else:
            row = rng.choice(getattr(function, table))
            column = rng.randrange(len(row))
            row[column] = another(row[column], rng)
            field = f"{table}.{column}"
        notes.append(field)
    return ", ".join(notes)


def graph(image, rng):
    """Flow graphs that could be, but are none of a program."""
    notes = []
    for _ in range(rng.choice([1, 3, 20]) if image.functions else 0):
        function = rng.choice(image.functions)
        outside = len(function.blocks)
        edges = function.edges
        kind = rng.randrange(9)
        if kind == 0 and edges:  # uncounted edges in a cycle
            for edge in edges:
                edge[0] &= ~1
        elif kind == 1 and edges:
            rng.choice(edges)[0] ^= 1
        elif kind == 2 and edges:
            edge = rng.choice(edges)
            edge[0] = 2 * rng.randrange(outside + 1) + (edge[0] & 1)
            edge[1] = rng.randrange(outside + 1)
            if outside in (edge[0] >> 1, edge[1]):
                edge[2] = 0
        elif kind == 3 and edges:
            edges.extend([list(e) for e in edges] * rng.choice([1, 50]))
        elif kind == 4 and edges:
            edges.pop(rng.randrange(len(edges)))
            function.calls = [c for c in function.calls if not c[0] & 1]
        elif kind == 5:
            for block in function.blocks:
                block[0] = rng.choice([0, 1, block[0] + 1, 0xffffffff, rng.getrandbits(32)])
        elif kind == 6:
            rng.shuffle(function.blocks)
        elif kind == 7 and function.calls:
            function.calls.extend([list(c) for c in function.calls] * 20)
        elif kind == 8:
            function.sites.append([rng.getrandbits(32)])
        notes.append(str(kind))
    image.renumber()
    counts(image, rng)
    return "graph " + ",".join(notes)


def names(image, rng):
    for _ in range(rng.choice([1, 1, 4])):
        if not image.names or not image.functions:
            break
        index = rng.randrange(len(image.names))
        kind = rng.randrange(5)
        if kind == 0:
            image.names[index] = rng.choice(NAMES)
        elif kind == 1:
            image.names[index] = rng.choice(image.names)
        elif kind == 2:
            del image.names[index]
        elif kind == 3:
            image.names.insert(index, rng.choice(NAMES))
        elif rng.random() < .2:  # each branch of the function names it twice
            image.names[image.functions[0].name % len(image.names)] = b"n" * (1 << 20)
            image.functions[0].edges *= 2000 // max(1, len(image.functions[0].edges))
            image.renumber()
            counts(image, rng)
    return "names"


def functions(image, rng):
    if not image.functions:
        return "no functions"
    index = rng.randrange(len(image.functions))
    kind = rng.randrange(4)
    if kind == 0:
        image.functions.append(copy.deepcopy(image.functions[index]))
        image.renumber()
    elif kind == 1:
        del image.functions[index]
        image.renumber()
    elif kind == 2:
        image.functions = []
        image.renumber()
        image.names = rng.choice([image.names, []])
        image.points = []
    else:
        rng.shuffle(image.functions)
    return f"functions {kind}"


def points(image, rng):
    if not image.points:
        return fixed(image, rng)
    for _ in range(rng.choice([1, 4])):
        point = rng.choice(image.points)
        column = rng.randrange(3)
        point[column] = (rng.choice(image.points)[0] if column == 0 and rng.random() < .5
                         else another(abs(point[column]), rng))
    return "entry points"


def fixed(image, rng):
    index = rng.randrange(4)
    image.extra_fixed[index] = another(image.fixed[index], rng)
    return f"number {index} of the metadata = {image.extra_fixed[index]:#x}"


def raw(image, rng):
    data = bytearray(image.metadata())
    kind = rng.randrange(4)
    if kind == 0:
        for _ in range(rng.choice([1, 4, 32])):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == 1:
        del data[rng.randrange(len(data)):]
    elif kind == 2:
        data += rng.randbytes(rng.choice([1, 100]))
    else:  # numbers without an end
        at = rng.randrange(32, len(data) + 1)
        data[at:at + 40] = b"\xff" * 40
    image.raw = bytes(data)
    return f"metadata bytes {kind}"


def counts(image, rng):
    """Counts that no run can have, and targets of calls that do not exist."""
    region = 64 + 16 * image.header["site_count"]
    for slot in image.slots:
        for _ in range(rng.choice([1, 10])):
            if image.header["counter_count"]:
                at = PAGE + region + 8 * rng.randrange(image.header["counter_count"])
                slot[at:at + 8] = struct.pack("<Q", rng.choice(NUMBERS))
        if rng.random() < .5 and image.header["target_count"]:
            site = rng.choice([1, 1, 2, rng.randrange(1, image.header["site_count"] + 2)])
            where = rng.choice([rng.getrandbits(40), 1 << 39, 0])
            at = PAGE + image.header["region_size"] + 16 * rng.randrange(
                image.header["target_count"])
            slot[at:at + 16] = struct.pack("<QQ", site << 40 | where, rng.choice(NUMBERS))
    return "counts"


def slots(image, rng):
    kind = rng.randrange(7)
    slot = image.slots[0] if image.slots else bytearray(image.header["slot_size"])
    if kind == 0:  # half written
        image.slots.append(slot[:rng.randrange(1, len(slot))])
    elif kind == 1:
        image.slots = [slot] * rng.choice([0, 2, 50])
    elif kind == 2:
        image.slots = [bytearray(rng.randbytes(len(slot)))]
    elif kind == 3:
        at = rng.randrange(0, len(slot), 8)
        slot[at:] = bytes(len(slot) - at)
    elif kind == 4:  # an owner that is not
        slot[:48] = rng.choice([rng.randbytes(48), struct.pack("<6Q", 1, 1, 0, 0, 0, 0),
                                b"\xff" * 48, struct.pack("<Q", os.getpid()) + slot[8:48]])
    elif kind == 5:  # the control of a region
        slot[PAGE:PAGE + 64] = rng.randbytes(64)
    else:
        table = PAGE + image.header["region_size"]
        slot[table:] = rng.randbytes(len(slot) - table)
    return f"slots {kind}"


MUTATORS = [sizes, sizes, identity, numbers, numbers, graph, graph, graph, graph, names, functions,
            points, fixed, raw, counts, counts, slots, slots]


def mutate(data, rng):
    image = Image(data)
    if rng.random() < .3:
        image.header["flags"] = 1
    chosen = [rng.choice(MUTATORS) for _ in range(rng.choice([1, 1, 1, 2]))]
    what = ", ".join(mutator(image, rng) for mutator in chosen)
    seal = rng.random() < .9
    return image.bytes(seal), what + ("" if seal else ", not sealed")
