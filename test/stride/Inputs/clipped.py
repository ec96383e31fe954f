# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that bursts are pieces of the whole trace.

usage: clipped.py PROGRAM BURST EVERY

PROGRAM is of one thread, makes the same references each time (-no-pie), and all
of them are of nests or by themselves. What is recorded in bursts must be pieces
of BURST references each, of what an exact run makes one after the other, in the
same order; and the clock must have seen about as many references as there are."""

import os
import struct
import subprocess
import sys

import gstride


def run(program, options):
    subprocess.check_call([program], env={**os.environ, "GRAUPEL_STRIDE_OUT": "clipped.gstride",
                                          "GRAUPEL_STRIDE": options})
    return gstride.Record("clipped.gstride")


def packed(references):
    return [struct.pack("<QI", address, site) for address, site, _ in references]


def find(piece, whole, start):
    """Where the piece is in the whole, at `start` or later; -1 if nowhere."""
    size = len(piece[0])
    text, at = b"".join(piece), start * size
    while (at := whole.find(text, at)) >= 0:
        if at % size == 0:
            return at // size
        at += 1
    return -1


def main():
    program, burst, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    all_references = packed(run(program, "stream").references[0])
    whole = b"".join(all_references)
    sampled = run(program, f"stream,burst={burst},every={every}")
    wrong, pieces = [], 0
    for thread, part in sampled.bursts.items():
        references = packed(sampled.references[thread])
        if len(references) != part["inside"]:
            wrong.append(f"part {thread}: {len(references)} in bursts, not {part['inside']}")
        at = 0
        for first in range(0, len(references), burst):
            piece = references[first:first + burst]
            pieces += 1
            if (found := find(piece, whole, at)) < 0:
                wrong.append(f"part {thread}: {first} to {first + len(piece)} is no piece "
                             f"after reference {at}")
                break
            at = found + len(piece)
    ticks = sum(part["references"] for part in sampled.bursts.values())
    # Where code crosses, it may tick what the other copy records, or neither does.
    if abs(ticks - len(all_references)) > 16 * pieces:
        wrong.append(f"{ticks} references passed, not {len(all_references)}")
    print("\n".join(wrong[:10]))
    print(f"{len(all_references)} references, {pieces} bursts, {len(wrong)} wrong")
    sys.exit(bool(wrong) or pieces < 10)


if __name__ == "__main__":
    main()
