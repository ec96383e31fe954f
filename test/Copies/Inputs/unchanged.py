#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unchanged.py INPUT OUTPUT

Fails unless OUTPUT has everything that INPUT loads as it was, but for jumps over
five bytes that lead behind the input's memory. Prints how many jumps there are.
"""
import struct
import sys

WRITTEN_ANEW = (".eh_frame_hdr", ".dynamic")


class File:
    def __init__(self, name):
        self.data = open(name, "rb").read()
        offset, = struct.unpack_from("<Q", self.data, 0x28)
        size, number, names = struct.unpack_from("<HHH", self.data, 0x3a)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + i * size)
                   for i in range(number)]
        strings = headers[names][4]
        self.sections = {}
        for h in headers:
            name = self.data[strings + h[0]:self.data.index(b"\0", strings + h[0])].decode()
            if h[2] & 2 and h[1] != 8:  # It is loaded, and has bytes.
                self.sections.setdefault(name, (h[3], self.data[h[4]:h[4] + h[5]], h[2]))
        self.end = max(a + len(b) for a, b, _ in self.sections.values())

    def find(self, name):
        # New sections take the names of old ones.
        return self.sections.get(".bolt.org" + name, self.sections.get(name))


before, after = File(sys.argv[1]), File(sys.argv[2])
patches = 0
for name, (address, old, flags) in before.sections.items():
    if name in WRITTEN_ANEW:
        continue
    found = after.find(name)
    if found is None or len(found[1]) < len(old):
        sys.exit(f"{name} is missing")
    new = found[1]
    if name == ".dynsym":  # Sections have other numbers.
        old, new = (b"".join(t[i:i + 6] + t[i + 8:i + 24] for i in range(0, len(t), 24))
                    for t in (old, new))
    at = 0
    while at < len(old):
        if old[at] == new[at]:
            at += 1
            continue
        # The first bytes of the jump may be those that were there.
        for begin in range(max(0, at - 4), at + 1):
            target = address + begin + 5 + struct.unpack_from("<i", new, begin + 1)[0]
            if flags & 4 and new[begin] == 0xe9 and target > before.end:
                break
        else:
            sys.exit(f"{name} has changed at {address + at:#x}")
        patches += 1
        at = begin + 5
print(f"nothing changed but {patches} jumps")
