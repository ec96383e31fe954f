#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs in all usual ways and fails if the compiler says anything.

usage: no-warnings.py CONFIG PROGRAM...
"""

import subprocess
import sys

WAYS = [["-O0"], ["-O2"], ["-O2", "-D_FORTIFY_SOURCE=2"], ["-O3", "-g", "-march=native"]]


def main():
    config, programs = sys.argv[1], sys.argv[2:]
    assert programs
    wrong = 0
    for program in programs:
        for way in WAYS:
            done = subprocess.run(["clang", f"--config={config}", *way, "-Wall", "-c", program,
                                   "-o", "/dev/null"], capture_output=True, text=True)
            if done.returncode or done.stderr:
                wrong = 1
                print(program, *way, done.stderr, sep="\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
