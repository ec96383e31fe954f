# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damage-section.py IN OUT SECTION AT MASK: copies an ELF file and flips bits of
the byte at AT of a section. A MASK of `clear:N` makes N bytes from there zeros."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fuzz"))
from elfmutators import Elf  # noqa: E402

source, target, section, at, mask = sys.argv[1:]
with open(source, "rb") as file:
    elf = Elf(file.read())
[(_, offset, _)] = elf.contents(lambda name, *_: name == section)
place = offset + int(at)
if mask.startswith("clear:"):
    count = int(mask.removeprefix("clear:"))
    elf.data[place:place + count] = bytes(count)
else:
    elf.data[place] ^= int(mask)
with open(target, "wb") as file:
    file.write(elf.data)
os.chmod(target, 0o755)
