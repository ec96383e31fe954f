# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py [--rounds=N] [--seed=S] RECORD...: damages records as nobody would by
accident, checksums set right. Each must be shown, or refused in a line."""

import os
import random
import resource
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import limits  # noqa: E402 (beside the tools that tests share)

COMMITTED = 0x4b4e4843
FORMS = (["report"], ["report", "--json"], ["report", "--html"], ["annotate"],
         ["export", "--callgrind"], ["export", "--numa"], ["diff", "--json", None])


def fnv(data):
    total = 0xcbf29ce484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return total


def chunks(data):
    found, at, used = [], 4096, struct.unpack_from("<Q", data, 2136)[0]
    while at < used:
        kind, live, size = struct.unpack_from("<IIQ", data, at)
        found.append((at, kind, live, size))
        at = (at + 32 + size + 63) // 64 * 64
    return found


def seal(data, at, size):
    struct.pack_into("<Q", data, at + 16, fnv(data[at + 32:at + 32 + size]))


def value(draw):
    return draw.choice([0, 1, 2, 3, 7, 63, 64, 127, 255, 256, 4095, 4096, 65535, 1 << 31,
                        (1 << 31) - 1, (1 << 32) - 1, (1 << 32) - 2, draw.randrange(1 << 32),
                        draw.randrange(200)])


def damage(data, draw):
    data = bytearray(data)
    how = draw.randrange(10)
    if how == 0:
        return data[:draw.randrange(len(data))]
    if how == 1:  # Anywhere.
        for _ in range(draw.randrange(1, 9)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        return data
    if how == 2:  # The header, sealed again.
        at = draw.choice([12, 16, 24, 28, 48, 52, 56, 60, 64, 68, 72, 76])
        struct.pack_into("<I", data, at, value(draw))
        struct.pack_into("<Q", data, 2128, fnv(data[:2128]))
        return data
    if how == 3:
        struct.pack_into("<Q", data, 2136, draw.choice([0, 4095, 4096, 4097, 1 << 63, len(data) + 1,
                                                        draw.randrange(len(data))]))
        return data
    every = chunks(data)
    kinds = sorted({c[1] for c in every})
    kind = draw.choice(kinds)
    at, kind, live, size = draw.choice([c for c in every if c[1] == kind])
    if how == 4:  # A chunk less, or one that is not what it says.
        place, bad = draw.choice([(0, value(draw)), (4, 1 - live), (28, 0), (8, value(draw))])
        struct.pack_into("<I", data, at + place, bad)
        return data
    if how == 5 and size:  # Shorter than it is read.
        less = draw.randrange(size)
        struct.pack_into("<Q", data, at + 8, less)
        if not live:
            seal(data, at, less)
        return data
    for _ in range(draw.randrange(1, 4)):
        if size >= 4:
            struct.pack_into("<I", data, at + 32 + 4 * draw.randrange(min(size, 512) // 4), value(draw))
    if not live:
        seal(data, at, size)
    return data


def limit():
    if not unlimited:
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


options = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--"))
records = [a for a in sys.argv[1:] if not a.startswith("--")]
unlimited = "program" in options  # A sanitizer's shadow is large.
program = options.get("program", "graupel")
seed = int(options.get("seed", 1))
print("seed", seed)
shown = refused = 0
for trial in range(int(options.get("rounds", 100))):
    draw = random.Random(seed * 1000003 + trial)
    record = draw.choice(records)
    with open("hostile.gstride", "wb") as out:
        out.write(damage(open(record, "rb").read(), draw))
    for form in FORMS:
        command = [program, "stride", *(record if f is None else f for f in form), "hostile.gstride"]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace",
                             timeout=limits.limit(120), preexec_fn=limit)
        if run.returncode == 0:
            shown += 1
            continue
        refused += 1
        lines = run.stderr.splitlines()
        if run.returncode != 1 or not lines or f"graupel stride {form[0]}: error: " not in lines[-1]:
            print(f"trial {trial} of {record}: {' '.join(command)}: {run.returncode}\n{run.stderr[-2000:]}")
            sys.exit(1)
print(shown, "shown,", refused, "refused")
