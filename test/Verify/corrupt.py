#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corrupt.py INPUT OUTPUT SCRATCH: each check of -verify is seen to fail.

OUTPUT was made of INPUT by graupel-bolt. elf-verify must accept it, and refuse it
with the right words after each of the changes below. SCRATCH is a file to write.
Changes that a file has no place for are reported as left out.
"""
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "fuzz"))
from elfmutators import Elf  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tools"))
from limits import limit  # noqa: E402


class Nothing(Exception):
    """The file has no place for this change."""


class File(Elf):
    def find(self, name):
        """(index, address, offset, size) of the last section of that name."""
        for index in range(self.shnum - 1, 0, -1):
            if self.name(index) == name:
                s = self.section(index)
                return index, s[3], s[4], s[5]
        raise Nothing(name)

    def offset(self, address):
        for index in range(self.phnum):
            at = self.phoff + 56 * index
            kind, = struct.unpack_from("<I", self.data, at)
            offset, vaddr, _, size = struct.unpack_from("<4Q", self.data, at + 8)
            if kind == 1 and vaddr <= address < vaddr + size:
                return offset + address - vaddr
        raise Nothing(hex(address))

    def symbols(self):
        """(place, name, info, section, value, size)"""
        _, _, offset, size = self.find(".symtab")
        strings = self.find(".strtab")[2]
        for place in range(offset, offset + size, 24):
            name, info, _, section, value, length = struct.unpack_from("<IBBHQQ", self.data, place)
            end = self.data.index(0, strings + name)
            yield place, self.data[strings + name:end].decode(), info, section, value, length

    def function(self, wanted=None):
        for symbol in self.symbols():
            if symbol[2] & 15 == 2 and symbol[5] > 16 and symbol[1] in (wanted or symbol[1]):
                return symbol
        raise Nothing("function")

    def dynamic(self, tag):
        _, _, offset, size = self.find(".dynamic")
        for place in range(offset, offset + size, 16):
            if struct.unpack_from("<Q", self.data, place)[0] == tag:
                return place + 8
        raise Nothing(f"dynamic {tag}")

    def relative(self):
        _, _, offset, size = self.find(".rela.dyn")
        for place in range(offset, offset + size, 24):
            if struct.unpack_from("<Q", self.data, place + 8)[0] == 8:
                yield place

    def get(self, form, place):
        return struct.unpack_from("<" + form, self.data, place)[0]

    def put(self, form, place, value):
        struct.pack_into("<" + form, self.data, place, value)

    def add(self, form, place, value):
        self.put(form, place, self.get(form, place) + value)


def entry(f, _):
    f.add("Q", 24, 1)


def init(f, _):
    f.add("Q", f.dynamic(12), 1)


def init_array(f, _):
    array = f.get("Q", f.dynamic(25))
    for place in f.relative():
        if f.get("Q", place) == array:
            f.add("Q", place + 16, 1)
            return
    f.add("Q", f.offset(array), 1)


def symbol_lost(f, _):
    f.put("I", f.function(["main"])[0], 0)


def symbol_outside(f, _):
    f.put("Q", f.function(["main"])[0] + 8, f.find(".dynamic")[1])


def new_calls(f):
    """Displacements of calls from main to known functions."""
    _, _, _, _, value, size = f.function(["main"])
    starts = {s[4] for s in f.symbols() if s[2] & 15 == 2}
    for address in range(value, value + size - 5):
        place = f.offset(address)
        if f.data[place] == 0xe8 and address + 5 + f.get("i", place + 1) in starts:
            yield place + 1
    raise Nothing("call")


def branch(f, _):
    f.add("i", next(new_calls(f)), 1)


def branch_away(f, _):
    f.put("i", next(new_calls(f)), 0x70000000)


def instruction(f, _):
    place = f.offset(f.function(["main"])[4])
    f.data[place + 8:place + 24] = b"\x06" * 16  # push %es, which is gone


def index(f):
    _, address, offset, size = f.find(".eh_frame_hdr")
    count = f.get("I", offset + 8)
    return address, offset, count


def index_unsorted(f, _):
    _, offset, count = index(f)
    a, b = offset + 12, offset + 12 + 8 * (count - 1)
    f.data[a:a + 8], f.data[b:b + 8] = f.data[b:b + 8], f.data[a:a + 8]


def index_wrong(f, _):
    f.add("i", index(f)[1] + 16, 4)


def index_incomplete(f, _):
    _, offset, _ = index(f)
    address, main = index(f)[0], f.function(["main"])[4]
    count = f.get("I", offset + 8)
    entries = [f.data[offset + 12 + 8 * i:offset + 20 + 8 * i] for i in range(count)]
    kept = [e for e in entries if address + struct.unpack("<i", e[:4])[0] != main]
    if len(kept) == len(entries):
        raise Nothing("main's record")
    f.data[offset + 12:offset + 12 + 8 * len(kept)] = b"".join(kept)
    f.put("I", offset + 8, len(kept))


def index_too_long(f, _):
    f.put("I", index(f)[1] + 8, 1 << 28)


def record_of_main(f):
    """Where the record for main is in the file."""
    address, offset, count = index(f)
    main = f.function(["main"])[4]
    for i in range(count):
        begin, record = struct.unpack_from("<ii", f.data, offset + 12 + 8 * i)
        if address + begin == main:
            return f.offset(address + record)
    raise Nothing("main's record")


def record_range(f, _):
    f.put("I", record_of_main(f) + 12, 0x7fffffff)


def record_length(f, _):
    f.put("I", record_of_main(f), 0x7ffffff0)


def byte_of_exception_table(f, part):
    """Some byte of a call site: the words say which check found it."""
    _, _, offset, size = f.find(".gcc_except_table")
    for place in range(offset, offset + size):
        old = f.data[place]
        f.data[place] = old + 1 & 0xff
        if part in verify(f):
            return
        f.data[place] = old
    raise Nothing(part)


def landing_pad(f, _):
    byte_of_exception_table(f, "landing pad")


def call_site(f, _):
    byte_of_exception_table(f, "call site")


def relocation_place(f, _):
    f.put("Q", next(f.relative()), 1 << 40)


def relocation_target(f, _):
    f.put("Q", next(f.relative()) + 16, 1 << 40)


def build_id(f, _):
    f.data[f.find(".note.gnu.build-id")[2] + 16] ^= 1


def section_outside(f, _):
    at = f.shoff + 64 * f.find(".text")[0]
    f.put("Q", at + 24, len(f.data) + 4096)


def section_overlap(f, _):
    at = f.shoff + 64 * f.find(".text")[0]
    f.add("Q", at + 32, f.find(".text")[3] * 16)


def cut(f, _):
    del f.data[-200:]


def table_entry(f, before):
    """A pointer of a jump table that stayed where it was and was filled anew."""
    _, _, offset, size = before.find(".rela.rodata")
    for place in range(offset, offset + size, 24):
        where, kind = struct.unpack_from("<QI", before.data, place)
        if kind == 1 and before.get("Q", before.offset(where)) != f.get("Q", f.offset(where)):
            f.add("Q", f.offset(where), 1)
            return
    raise Nothing("table")


CHANGES = [
    (entry, "entry point"), (init, "DT_INIT"), (init_array, "DT_INIT_ARRAY|the pointer at"),
    (symbol_lost, "symbol main was lost"), (symbol_outside, "holds symbol"),
    (branch, "branches to"), (branch_away, "branches to"), (instruction, "is no instruction"),
    (index_unsorted, "not sorted"), (index_wrong, "has no record"),
    (index_incomplete, "leaves out main"), (index_too_long, "more entries than bytes"),
    (record_range, "which is not code"), (record_length, "not inside of it"),
    (landing_pad, "landing pad"), (call_site, "call site"),
    (relocation_place, "is not inside of a section"), (relocation_target, "in no segment"),
    (build_id, "build-id"), (section_outside, "is not inside of the file"),
    (section_overlap, "overlaps|is not inside of|contradicts"), (cut, "is the file complete"),
    (table_entry, "the pointer at")]


def verify(file):
    with open(SCRATCH, "wb") as scratch:
        scratch.write(file.data)
    result = subprocess.run(["elf-verify", INPUT, SCRATCH], capture_output=True, text=True,
                            errors="replace", timeout=limit(60))
    if result.returncode not in (0, 1):
        return f"elf-verify ended with {result.returncode}"
    return result.stdout.strip()


INPUT, OUTPUT, SCRATCH = sys.argv[1:]
with open(INPUT, "rb") as source:
    BEFORE = File(source.read())
with open(OUTPUT, "rb") as source:
    GOOD = source.read()
said = verify(File(GOOD))
if not said.startswith("verified: "):
    sys.exit(f"the output is refused: {said}")
failed = 0
for change, words in CHANGES:
    file = File(GOOD)
    try:
        change(file, BEFORE)
    except (Nothing, StopIteration) as reason:
        print(f"left out - {change.__name__}: no {reason}")
        continue
    said = verify(file)
    right = any(word in said for word in words.split("|")) and not said.startswith("verified")
    failed += not right
    print(f"{'ok' if right else 'not ok'} - {change.__name__}: {said}")
sys.exit(failed > 0)
