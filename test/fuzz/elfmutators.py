# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to damage an ELF file. Each takes its bytes and a random.Random, and
returns (bytes, what was done)."""

import struct

INTERESTING = [0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0xfff, 0x1000, 0x7fff, 0xffff,
               0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
               0x8000000000000000, 0xfffffffffffffff0, 0xffffffffffffffff]

HEADER = [("e_type", 16, 2), ("e_machine", 18, 2), ("e_version", 20, 4), ("e_entry", 24, 8),
          ("e_phoff", 32, 8), ("e_shoff", 40, 8), ("e_flags", 48, 4), ("e_ehsize", 52, 2),
          ("e_phentsize", 54, 2), ("e_phnum", 56, 2), ("e_shentsize", 58, 2),
          ("e_shnum", 60, 2), ("e_shstrndx", 62, 2)]
SECTION = [("sh_name", 0, 4), ("sh_type", 4, 4), ("sh_flags", 8, 8), ("sh_addr", 16, 8),
           ("sh_offset", 24, 8), ("sh_size", 32, 8), ("sh_link", 40, 4), ("sh_info", 44, 4),
           ("sh_addralign", 48, 8), ("sh_entsize", 56, 8)]
SEGMENT = [("p_type", 0, 4), ("p_flags", 4, 4), ("p_offset", 8, 8), ("p_vaddr", 16, 8),
           ("p_paddr", 24, 8), ("p_filesz", 32, 8), ("p_memsz", 40, 8), ("p_align", 48, 8)]
SYMBOL = [("st_name", 0, 4), ("st_info", 4, 1), ("st_other", 5, 1), ("st_shndx", 6, 2),
          ("st_value", 8, 8), ("st_size", 16, 8)]
RELOCATION = [("r_offset", 0, 8), ("r_type", 8, 4), ("r_sym", 12, 4), ("r_addend", 16, 8)]
DYNAMIC = [("d_tag", 0, 8), ("d_val", 8, 8)]


class Elf:
    """Where things are in a file that is still whole."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.phoff, self.shoff = struct.unpack_from("<QQ", data, 32)
        self.phnum, _, self.shnum, self.shstrndx = struct.unpack_from("<4H", data, 56)
        self.names = self.section(self.shstrndx)[4] if self.shnum else 0

    def section(self, index):
        return struct.unpack_from("<IIQQQQIIQQ", self.data, self.shoff + 64 * index)

    def name(self, index):
        at = self.names + self.section(index)[0]
        end = self.data.find(0, at)  # a section changed before may have no name now
        return self.data[at:max(end, at)].decode(errors="replace")

    def contents(self, wanted):
        """(name, offset, size) of the sections `wanted` says yes to; wanted takes
        a name, a type and flags."""
        found = []
        for index in range(1, self.shnum):
            section = self.section(index)
            if section[1] != 8 and section[5] and wanted(self.name(index), *section[1:3]):
                found.append((self.name(index), section[4], section[5]))
        return found


def limit(value, size):
    return value & ((1 << 8 * size) - 1)


def change(data, at, size, rng):
    """Another number in a field: interesting, near, with a bit flipped, or random."""
    old = int.from_bytes(data[at:at + size], "little")
    new = old
    while new == old:
        new = limit(rng.choice([
            lambda: rng.choice(INTERESTING),
            lambda: old + rng.choice([-64, -8, -4, -1, 1, 4, 8, 64, 4096, 1 << 20]),
            lambda: old ^ 1 << rng.randrange(8 * size),
            lambda: rng.getrandbits(8 * size),
            lambda: old * 2, lambda: old // 2])(), size)
    data[at:at + size] = new.to_bytes(size, "little")
    return f"{old:#x} -> {new:#x}"


def change_field(data, base, fields, rng, what):
    name, offset, size = rng.choice(fields)
    return f"{what}.{name} {change(data, base + offset, size, rng)}"


def change_entries(elf, rng, sections, entry_size, fields, what):
    if not sections:
        return flip(elf, rng, 0, len(elf.data), "anywhere, no " + what)
    notes = []
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        name, offset, size = rng.choice(sections)
        count = max(size // entry_size, 1)
        index = rng.randrange(count)
        notes.append(change_field(elf.data, offset + index * entry_size, fields, rng,
                                  f"{name}[{index}]"))
    return ", ".join(notes)


def flip(elf, rng, begin, end, what):
    notes = []
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        at, bit = rng.randrange(begin, end), rng.randrange(8)
        elf.data[at] ^= 1 << bit
        notes.append(f"{at:#x}^{1 << bit:#x}")
    return f"{what} {' '.join(notes)}"


def flip_in(elf, rng, sections, what):
    if not sections:
        return flip(elf, rng, 0, len(elf.data), "anywhere, no " + what)
    name, offset, size = rng.choice(sections)
    return flip(elf, rng, offset, offset + size, name)


def on_elf(mutator):
    def mutate(data, rng):
        elf = Elf(data)
        what = mutator(elf, rng)
        return bytes(elf.data), what
    return mutate


def truncate(elf, rng):
    boundaries = [0, 1, 4, 16, 52, 63, 64, 65, elf.phoff + 56 * elf.phnum, elf.shoff,
                  elf.shoff + 64 * elf.shnum]
    for _, offset, size in elf.contents(lambda *_: True):
        boundaries += [offset, offset + size]
    size = (rng.choice(boundaries) + rng.choice([-1, 0, 0, 1]) if rng.random() < .6
            else rng.randrange(len(elf.data)))
    size = min(max(size, 0), len(elf.data) - 1)
    del elf.data[size:]
    return f"cut to {size}"


def header(elf, rng):
    if rng.random() < .2:
        return flip(elf, rng, 0, 64, "ELF header")
    return change_field(elf.data, 0, HEADER, rng, "header")


def sections(elf, rng):
    if not elf.shnum:
        return header(elf, rng)
    notes = []
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        index = rng.randrange(elf.shnum)
        notes.append(change_field(elf.data, elf.shoff + 64 * index, SECTION, rng,
                                  f"section {index} ({elf.name(index) if index else ''})"))
        elf.names = min(elf.names, len(elf.data) - 1)
        if notes and index == elf.shstrndx:
            break
    return ", ".join(notes)


def segments(elf, rng):
    index = rng.randrange(elf.phnum)
    return change_field(elf.data, elf.phoff + 56 * index, SEGMENT, rng, f"segment {index}")


def symbols(elf, rng):
    return change_entries(elf, rng, elf.contents(lambda n, t, f: t in (2, 11)), 24, SYMBOL,
                          "symbols")


def relocations(elf, rng):
    return change_entries(elf, rng, elf.contents(lambda n, t, f: t == 4), 24, RELOCATION,
                          "relocations")


def dynamic(elf, rng):
    return change_entries(elf, rng, elf.contents(lambda n, t, f: t == 6), 16, DYNAMIC, "dynamic")


def frames(elf, rng):
    return flip_in(elf, rng, elf.contents(lambda n, t, f: n.startswith(".eh_frame")), "frames")


def lsda(elf, rng):
    return flip_in(elf, rng, elf.contents(lambda n, t, f: n == ".gcc_except_table"), "lsda")


def notes(elf, rng):
    return flip_in(elf, rng, elf.contents(lambda n, t, f: t == 7), "notes")


def code(elf, rng):
    return flip_in(elf, rng, elf.contents(lambda n, t, f: f & 4), "code")


def data(elf, rng):
    return flip_in(elf, rng, elf.contents(lambda n, t, f: f & 2 and not f & 4), "data")


def debug(elf, rng):
    return flip_in(elf, rng, elf.contents(lambda n, t, f: n.startswith(".debug")), "debug")


def anywhere(elf, rng):
    return flip(elf, rng, 0, len(elf.data), "anywhere")


def structure(elf, rng):
    """Contradictions between tables whose every entry is possible by itself."""
    def put(index, field, value):
        name, offset, size = SECTION[field]
        at = elf.shoff + 64 * index + offset
        elf.data[at:at + size] = limit(value, size).to_bytes(size, "little")
        return f"section {index}.{name} = {value:#x}"
    if elf.shnum < 4:
        return header(elf, rng)
    a, b = rng.sample(range(1, elf.shnum), 2)
    x, y = elf.section(a), elf.section(b)
    kind = rng.randrange(7)
    if kind == 0:  # a cycle
        return put(a, 6, b) + ", " + put(b, 6, a)
    if kind == 1:
        return put(a, 6, a) + ", " + put(a, 7, a)
    if kind == 2:  # overlaps
        return put(a, 3, y[3]) + ", " + put(a, 4, y[4])
    if kind == 3:
        return put(a, 5, x[5] + y[5] + 4096)
    if kind == 4:
        return put(a, 4, len(elf.data) + rng.randrange(1 << 20))
    if kind == 5:  # two exchanged
        first, second = elf.shoff + 64 * a, elf.shoff + 64 * b
        elf.data[first:first + 64], elf.data[second:second + 64] = (
            elf.data[second:second + 64], elf.data[first:first + 64])
        return f"sections {a} and {b} exchanged"
    first, second = rng.sample(range(elf.phnum), 2)
    at, other = elf.phoff + 56 * first, elf.phoff + 56 * second
    elf.data[at + 8:at + 56] = elf.data[other + 8:other + 56]
    return f"segment {first} lies where segment {second} does"


def machine(elf, rng):
    field, values = rng.choice([(4, [0, 1, 3, 255]), (5, [0, 2, 3, 255]), (6, [0, 2, 255]),
                                (18, [0, 3, 8, 40, 183, 243, 247, 62 + 256]),
                                (16, [0, 1, 4, 2, 3, 0xff00])])
    value = rng.choice(values)
    elf.data[field:field + (2 if field > 15 else 1)] = value.to_bytes(
        2 if field > 15 else 1, "little")
    return f"byte {field} of the header = {value}"


def holes(elf, rng):
    """A run of zeros, ones or noise, as from a broken disk or download."""
    begin = rng.randrange(len(elf.data))
    size = min(rng.choice([8, 64, 512, 4096]), len(elf.data) - begin)
    fill = rng.choice([b"\0" * size, b"\xff" * size, rng.randbytes(size)])
    elf.data[begin:begin + size] = fill
    return f"{size} bytes at {begin:#x} are {fill[:4].hex()}..."


MUTATORS = {name: on_elf(f) for name, f in [
    ("truncate", truncate), ("header", header), ("sections", sections),
    ("segments", segments), ("symbols", symbols), ("relocations", relocations),
    ("dynamic", dynamic), ("frames", frames), ("lsda", lsda), ("notes", notes),
    ("code", code), ("data", data), ("debug", debug), ("anywhere", anywhere),
    ("structure", structure), ("machine", machine), ("holes", holes)]}
