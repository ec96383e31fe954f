# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damage-link.py IN OUT FROM TO: copies an ELF file in which section FROM refers
to section TO."""

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fuzz"))
from elfmutators import Elf  # noqa: E402

source, target, first, second = sys.argv[1:]
with open(source, "rb") as file:
    elf = Elf(file.read())
table, = struct.unpack_from("<Q", elf.data, 40)
count, = struct.unpack_from("<H", elf.data, 60)
strings, = struct.unpack_from("<H", elf.data, 62)
base, = struct.unpack_from("<Q", elf.data, table + 64 * strings + 24)


def name(index):
    start = base + struct.unpack_from("<I", elf.data, table + 64 * index)[0]
    return bytes(elf.data[start:elf.data.index(0, start)]).decode()


index = {name(i): i for i in range(count)}
struct.pack_into("<I", elf.data, table + 64 * index[first] + 40, index[second])
with open(target, "wb") as file:
    file.write(elf.data)
os.chmod(target, 0o755)
