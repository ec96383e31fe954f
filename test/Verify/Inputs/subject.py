# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An output of graupel-bolt in which faults are written."""
import os
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, os.pardir, "fuzz"))
from elfmutators import Elf  # noqa: E402


class Nothing(Exception):
    """The file has no place for this fault."""


def disassemble(path):
    """[(address, size, mnemonic, operands, function)] of all code in a file."""
    text = subprocess.run(["llvm-objdump", "-d", "--no-show-raw-insn", "--no-leading-headers",
                           path], capture_output=True, text=True, check=True).stdout
    found, function = [], ""
    for line in text.splitlines():
        if match := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            function = match[1]
        elif match := re.match(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*?)\s*(#.*)?$", line):
            found.append((int(match[1], 16), match[2], match[3], function))
    return [(a, b[0] - a, m, o, f) for (a, m, o, f), b in zip(found, found[1:])]


class File(Elf):
    def __init__(self, data, code):
        super().__init__(data)
        self.code = code

    def get(self, form, place):
        return struct.unpack_from("<" + form, self.data, place)[0]

    def put(self, form, place, value):
        struct.pack_into("<" + form, self.data, place, value)

    def add(self, form, place, value):
        self.put(form, place, self.get(form, place) + value)

    def swap(self, a, b, size):
        self.data[a:a + size], self.data[b:b + size] = self.data[b:b + size], self.data[a:a + size]

    def find(self, name):
        """(index, address, offset, size) of the last section of that name."""
        for index in range(self.shnum - 1, 0, -1):
            if self.name(index) == name:
                s = self.section(index)
                return index, s[3], s[4], s[5]
        raise Nothing(name)

    def header(self, name):
        """Where the header of a section is."""
        return self.shoff + 64 * self.find(name)[0]

    def segment(self, kind, flags=0):
        """Where the first program header of that type and with these rights is."""
        for at in range(self.phoff, self.phoff + 56 * self.phnum, 56):
            if self.get("I", at) == kind and self.get("I", at + 4) & flags == flags:
                return at
        raise Nothing(f"segment {kind:#x}")

    def note(self):
        """Where the program header of a note is that PT_GNU_PROPERTY does not repeat."""
        headers = range(self.phoff, self.phoff + 56 * self.phnum, 56)
        repeated = [self.get("Q", at + 8) for at in headers if self.get("I", at) == 0x6474e553]
        for at in headers:
            if self.get("I", at) == 4 and self.get("Q", at + 8) not in repeated:
                return at
        raise Nothing("note")

    def offset(self, address):
        for at in range(self.phoff, self.phoff + 56 * self.phnum, 56):
            offset, vaddr, _, size = struct.unpack_from("<4Q", self.data, at + 8)
            if self.get("I", at) == 1 and vaddr <= address < vaddr + size:
                return offset + address - vaddr
        raise Nothing(hex(address))

    def symbols(self, table=".symtab", strings=".strtab"):
        """(place, name, type, section, value, size)"""
        _, _, offset, size = self.find(table)
        names = self.find(strings)[2]
        for place in range(offset, offset + size, 24):
            name, info, _, section, value, length = struct.unpack_from("<IBBHQQ", self.data, place)
            end = self.data.index(0, names + name)
            yield place, self.data[names + name:end].decode(), info & 15, section, value, length

    def symbol(self, name, kind=2):
        for symbol in self.symbols():
            if symbol[1] == name and symbol[2] == kind:
                return symbol
        raise Nothing(name)

    def dynamic(self, tag):
        _, _, offset, size = self.find(".dynamic")
        for place in range(offset, offset + size, 16):
            if self.get("Q", place) == tag:
                return place
        raise Nothing(f"dynamic {tag}")

    def relocations(self, kind, table=".rela.dyn"):
        _, _, offset, size = self.find(table)
        found = [p for p in range(offset, offset + size, 24) if self.get("I", p + 8) == kind]
        if not found:
            raise Nothing(f"relocation {kind}")
        return found

    def instructions(self, pattern, functions=("main", "_Z4picklll", "_Z6caughtlllRi",
                                               "_Z8promisedl", "_Z7measureRK5ShapeRi", "_Z6deeperl",
                                               "run", "machine", "step", "_Z5outerlllRi")):
        """Instructions of the program's own functions: (place in file, address, size, operands)."""
        found = [(self.offset(a), a, s, o) for a, s, m, o, f in self.code
                 if f in functions and re.fullmatch(pattern, f"{m} {o}".strip())]
        if not found:
            raise Nothing(pattern)
        return found

    def index(self):
        """(address, offset, count) of .eh_frame_hdr."""
        _, address, offset, _ = self.find(".eh_frame_hdr")
        return address, offset, self.get("I", offset + 8)

    def record(self, function):
        """(place, address) of the unwind record of a function."""
        address, offset, count = self.index()
        begin = self.symbol(function)[4]
        for i in range(count):
            at, record = struct.unpack_from("<ii", self.data, offset + 12 + 8 * i)
            if address + at == begin:
                return self.offset(address + record), address + record
        raise Nothing(f"record of {function}")

    def uleb(self, place):
        value = shift = 0
        while True:
            byte = self.data[place]
            value |= (byte & 0x7f) << shift
            shift, place = shift + 7, place + 1
            if byte < 0x80:
                return value, place

    def lsda(self, function):
        """Where the pointer of a function's record to its exception table is, and the table."""
        place, address = self.record(function)
        at = place + 17
        if not self.data[place + 16] or not self.get("i", at):
            raise Nothing("exception table")
        return at, self.offset(address + 17 + self.get("i", at))

    def sites(self, function):
        """Call sites of a function whose numbers have one byte each: (place, begin, size, pad,
        action), each a function of its place; and where the table of types ends."""
        _, at = self.lsda(function)
        if self.data[at] != 0xff:
            at += 1 + {0x1b: 4, 0x9b: 4, 0: 8}.get(self.data[at], 4)
        else:
            at += 1
        types = None
        if self.data[at] == 0xff:
            at += 1
        else:
            value, after = self.uleb(at + 1)
            types, at = after + value, after
        form = self.data[at]
        length, at = self.uleb(at + 1)
        end, found = at + length, []
        while at < end:
            fields = []
            for _ in range(3):
                if form & 15 == 1:
                    value, after = self.uleb(at)
                else:
                    value, after = self.get("I", at), at + 4
                fields.append((at, after - at, value))
                at = after
            value, after = self.uleb(at)
            fields.append((at, after - at, value))
            at = after
            found.append(fields)
        return found, types

    def set_field(self, field, value):
        place, size, _ = field
        if size == 4:
            self.put("I", place, value)
            return
        for i in range(size):
            last = i == size - 1
            self.data[place + i] = value >> 7 * i & 0x7f | (0 if last else 0x80)
