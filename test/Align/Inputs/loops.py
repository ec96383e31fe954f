#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decode windows of an iteration of loops, with alignment and without.

  loops.py WITH.json WITHOUT.json NAME:WINDOWS:WINDOWS ...

Fails unless they are what is said, and unless the loops of the second file are
as many as those of the first.
"""

import json
import sys


def windows(path):
    with open(path) as file:
        return {loop["procedure"].split("/")[0]: round(loop["windows_after"])
                for loop in json.load(file)["layout"]["loops"]}


def main():
    aligned, plain = windows(sys.argv[1]), windows(sys.argv[2])
    for expected in sys.argv[3:]:
        name, with_it, without = expected.split(":")
        plural = "" if aligned[name] == 1 else "s"
        print(f"{name}: {aligned[name]} window{plural} with alignment, "
              f"{plain[name]} without")
        assert (aligned[name], plain[name]) == (int(with_it), int(without))
    assert set(aligned) == set(plain), (aligned, plain)


if __name__ == "__main__":
    main()
