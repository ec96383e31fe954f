# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a file linked with --emit-relocs and symbols says of its own code.

Plain ELF, and nothing of graupel-bolt's: functions from symbols, addresses of code and jump
tables from the linker's relocations.
"""
import struct
import sys
from collections import namedtuple
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "fuzz"))
import elfmutators  # noqa: E402

SHT_PROGBITS, SHT_SYMTAB, SHT_RELA = 1, 2, 4
SHF_ALLOC, SHF_EXECINSTR = 2, 4
STT_FUNC, STT_IFUNC = 2, 10
R_64, R_PC32, R_PLT32, R_32, R_32S, R_PC64 = 1, 2, 4, 10, 11, 24
SIZES = {R_64: 8, R_PC64: 8, R_PC32: 4, R_PLT32: 4, R_32: 4, R_32S: 4}

Section = namedtuple("Section", "name kind flags address offset size link info entry")
Function = namedtuple("Function", "begin end name")
Pointer = namedtuple("Pointer", "place target")
Table = namedtuple("Table", "begin entry_size targets")


class Elf(elfmutators.Elf):
    """The file with its sections by their numbers, and those with code."""

    def __init__(self, path):
        super().__init__(Path(path).read_bytes())
        raw = (self.section(i) for i in range(self.shnum))
        self.sections = [Section(self.name(i), *r[1:8], r[9]) for i, r in enumerate(raw)]
        self.code = sorted((s for s in self.sections
                            if s.flags & SHF_ALLOC and s.flags & SHF_EXECINSTR and s.size),
                           key=lambda s: s.address)

    def string(self, offset):
        return self.data[offset:self.data.index(0, offset)].decode(errors="replace")

    def is_code(self, address):
        return any(s.address <= address < s.address + s.size for s in self.code)


def stripped(path):
    """The bytes of the file without the linker's relocations and symbols.

    Numbers of sections stay: strip changes them, and not those in .dynsym, which then has
    symbols of the wrong sections.
    """
    elf = Elf(path)
    for index, section in enumerate(elf.sections):
        header = elf.shoff + 64 * index
        if section.kind == SHT_RELA and section.flags & SHF_ALLOC and \
                elf.sections[section.link].kind == SHT_SYMTAB:  # Of a static program.
            struct.pack_into("<I", elf.data, header + 40, 0)
        if section.kind in (SHT_RELA, SHT_SYMTAB) and not section.flags & SHF_ALLOC or \
                section.name.startswith(".debug"):
            # Without a name, and something that nobody reads.
            struct.pack_into("<IIQQ", elf.data, header, 0, SHT_PROGBITS, 0, 0)
            struct.pack_into("<IIQQ", elf.data, header + 40, 0, 0, 1, 0)
    return bytes(elf.data)


class Truth:
    """functions, sorted; pointers into code from data or as operands; branches; tables by begin."""

    def __init__(self, path):
        self.elf = Elf(path)
        self.functions, self.labels = self._symbols()
        self.begins = [f.begin for f in self.functions]
        self.pointers, self.branches, self.tables = [], [], {}
        distances, taken, words = {}, set(), {}
        for section in self.elf.sections:
            if section.kind == SHT_RELA and not section.flags & SHF_ALLOC:
                self._read(section, distances, taken, words)
        self._tables(distances, words, taken)

    def _symbols(self):
        table = next((s for s in self.elf.sections if s.kind == SHT_SYMTAB), None)
        functions, labels = set(), set()
        if table is None:
            return [], []
        strings = self.elf.sections[table.link].offset
        self.values = []
        for at in range(table.offset, table.offset + table.size, 24):
            name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", self.elf.data, at)
            self.values.append(value)
            if not 0 < index < 0xff00 or not self.elf.sections[index].flags & SHF_EXECINSTR:
                continue
            if info & 15 in (STT_FUNC, STT_IFUNC):
                functions.add(Function(value, value + size, self.elf.string(strings + name)))
            elif info & 15 == 0:
                labels.add(value)
        return sorted(functions), sorted(labels)

    def _read(self, section, distances, taken, words):
        """Relocations of one section that is loaded: distances are those in data."""
        home = self.elf.sections[section.info]
        if not home.flags & SHF_ALLOC or home.name.startswith((".eh_frame", ".gcc_except_table")):
            return
        in_code = home.flags & SHF_EXECINSTR
        for at in range(section.offset, section.offset + section.size, 24):
            place, info, addend = struct.unpack_from("<QQq", self.elf.data, at)
            kind, target = info & 0xffffffff, self.values[info >> 32] + addend
            if kind in (R_64, R_32, R_32S):
                if self.elf.is_code(target):
                    self.pointers.append(Pointer(place, target))
                    if kind == R_64 and not in_code:
                        words[place] = target
                elif in_code:
                    taken.add(target)
            elif kind in (R_PC32, R_PLT32, R_PC64) and in_code:
                self._operand(home, place, target + SIZES[kind], taken)
            elif kind == R_PC32 and self.elf.is_code(target):
                distances[place] = target

    def _operand(self, home, place, target, taken):
        before = self.elf.data[home.offset + place - home.address - 2:home.offset + place - home.address]
        if not self.elf.is_code(target):
            taken.add(target)
        elif before[1] in (0xe8, 0xe9) or (before[0] == 0x0f and before[1] & 0xf0 == 0x80):
            self.branches.append(Pointer(place, target))
        else:
            self.pointers.append(Pointer(place, target))

    def _tables(self, distances, words, taken):
        """A table begins where code takes an address, and ends before the next one or a gap."""
        for begin in sorted(taken):
            for entry_size, found in ((4, distances), (8, words)):
                targets, at = [], begin
                while at in found and (at == begin or at not in taken):
                    # A distance counts from the table's beginning, and the linker's from its place.
                    targets.append(found[at] - (at - begin if entry_size == 4 else 0))
                    at += entry_size
                if targets:
                    self.tables[begin] = Table(begin, entry_size, targets)
