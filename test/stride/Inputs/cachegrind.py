# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the simulation of caches with cachegrind's, to the count.

usage: cachegrind.py PROGRAM WORK-FOLDER

Both see all that the program does, its libraries and instructions too: cachegrind
itself, and the simulation a trace by lackey. Misses of data in the first and in the
last level must be equal, loads and stores apart."""

import os
import re
import subprocess
import sys

# First level, of data and of instructions; last level.
# The dynamic linker saves registers by instructions of 512 bytes and more where it
# binds a call lazily. Lackey and cachegrind do not agree on how many lines they use.
ENVIRONMENT = os.environ | {"LD_BIND_NOW": "1"}

CACHES = [((4096, 2, 64), (131072, 8, 64)), ((32768, 8, 64), (8388608, 16, 64)), ((8192, 1, 32), (65536, 4, 64)),
          ((16384, 256, 64), (1048576, 1, 128)), ((4096, 1, 64), (4194304, 1, 64))]


def cachegrind(program, first, last):
    text = ["{},{},{}".format(*level) for level in (first, last)]
    run = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
                          f"--I1={text[0]}", f"--D1={text[0]}", f"--LL={text[1]}", program],
                         stderr=subprocess.PIPE, text=True, check=True, env=ENVIRONMENT)
    return [tuple(int(n.replace(",", "")) for n in
                  re.search(rf"{name} +misses: +([0-9,]+) +\( *([0-9,]+) rd +\+ +([0-9,]+) wr", run.stderr).groups())
            for name in ("D1", "LLd")]


def simulated(program, first, last, temporary):
    spec = "L1:{}:{}:{}/LL:{}:{}:{}".format(*first, *last)
    reader, writer = os.pipe()
    trace = subprocess.Popen(["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-fd={writer}", program],
                             pass_fds=[writer], env=ENVIRONMENT)
    os.close(writer)
    run = subprocess.run(["cache-trace", spec, temporary], stdin=reader, stdout=subprocess.PIPE, text=True, check=True)
    os.close(reader)
    if trace.wait():
        sys.exit(f"lackey: status {trace.returncode}")
    return [tuple(map(int, re.findall(r": (\d+) misses, (\d+) of loads, (\d+) of stores", line)[0]))
            for line in run.stdout.splitlines()]


def main():
    program, folder = sys.argv[1:]
    wrong = 0
    for first, last in CACHES:
        expected = cachegrind(program, first, last)
        measured = simulated(program, first, last, os.path.join(folder, "trace.gstride"))
        wrong += expected != measured
        print(first, last, "misses, loads, stores:", *measured,
              "equal" if expected == measured else f"cachegrind {expected}")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
