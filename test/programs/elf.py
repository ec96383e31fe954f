# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is a file a linked program or library, and has it what graupel-bolt needs?"""

import struct

ET_EXEC, ET_DYN, SHT_RELA, SHF_ALLOC = 2, 3, 4, 2


def linked(path):
    """An x86-64 executable or shared library."""
    with open(path, "rb") as file:
        head = file.read(20)
    return (len(head) == 20 and head[:5] == b"\x7fELF\x02" and
            struct.unpack_from("<HH", head, 16) in ((ET_EXEC, 62), (ET_DYN, 62)))


def has_relocations(path):
    """Did the linker keep relocations (--emit-relocs)?"""
    with open(path, "rb") as file:
        data = file.read()
    start, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    for index in range(count):
        kind, flags = struct.unpack_from("<IQ", data, start + index * size + 4)
        if kind == SHT_RELA and not flags & SHF_ALLOC:
            return True
    return False
