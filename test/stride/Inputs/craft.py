# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""craft.py RECORD OUT HOW: a record that is whole and says what no program does.

lanes: as many copies of a site and lanes as make 0 in 32 bits; none: a site without lanes;
memory: many sites that share a long text; newline: a program's name of several lines."""

import struct
import sys

from gstride import COMMITTED, fnv

source, target, how = sys.argv[1:]
old = bytearray(open(source, "rb").read())
HEADER, CHECKED, SITE = 4096, 2128, 48
parts, at = [], HEADER
while at < struct.unpack_from("<Q", old, CHECKED + 8)[0]:
    kind, live, size, _, _, state = struct.unpack_from("<IIQQII", old, at)
    parts.append((kind, live, old[at + 32:at + 32 + size], state))
    at = (at + 32 + size + 63) // 64 * 64
sites, loops = ([p[2] for p in parts if p[0] == kind] for kind in (2, 3))
site_count, loop_count = (sum(struct.unpack_from("<I", p, 8)[0] for p in s) for s in (sites, loops))


def table(first, count, members, body):
    return struct.pack("<IIII", 0, first, count, members) + body


if how == "lanes":
    count, members = struct.unpack_from("<II", loops[0], 8)
    every = [struct.unpack_from("<IIqQ", loops[0], 16 + 56 * count + 24 * n) for n in range(members)]
    site, _, step, _ = next(m for m in every if m[3] and m[2])
    for n in range(struct.unpack_from("<I", sites[0], 8)[0]):
        struct.pack_into("<H", sites[0], 16 + SITE * n + 40, 0x8000)

    def key(n):
        at = 16 + SITE * n
        return bytes(sites[0][at + 24:at + 32] + sites[0][at + 36:at + 40] + sites[0][at + 44:at + 45])
    more = (1 << 17) - sum(m[3] and m[2] == step and key(m[0]) == key(site) for m in every)
    copy = bytearray(sites[0][16 + SITE * site:16 + SITE * (site + 1)])
    copy[:24] = bytes(24)
    parts.append((2, 1, table(site_count, more, 0, bytes(copy) * more), COMMITTED))
    parts.append((3, 1, table(loop_count, 0, more, b"".join(
        struct.pack("<IIqQ", site_count + n, 0, step, 1) for n in range(more))), COMMITTED))
elif how == "none":
    struct.pack_into("<H", sites[0], 16 + 40, 0)
elif how == "memory":
    count, length = 1000, 1 << 20
    copy = bytearray(sites[0][16:16 + SITE])
    struct.pack_into("<6I", copy, 0, *[16 + SITE * count, length] * 3)
    parts.append((2, 1, table(site_count, count, 0, bytes(copy) * count + b"x" * length),
                  COMMITTED))
elif how == "newline":
    name = b"p\nalloc evil.c:1 block=4096\nx\x1b[2J"
    at = struct.unpack_from("<I", old, 56)[0]
    old[at:at + len(name)] = name
    struct.pack_into("<I", old, 60, len(name))

new = old[:HEADER]
for kind, live, body, state in parts:
    new += struct.pack("<IIQQII", kind, live, len(body), fnv(body) if not live else 0, 0, state)
    new += body
    new += bytes(-len(new) % 64)
struct.pack_into("<Q", new, CHECKED + 8, len(new))
struct.pack_into("<Q", new, CHECKED, fnv(new[:CHECKED]))
with open(target, "wb") as file:
    file.write(new)
