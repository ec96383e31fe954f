#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hot-program.py SOURCE OUTPUT TRAINING RUN... [-flags=FLAGS] [-OPTION...]

Compiles a C or C++ program, trains it with the arguments TRAINING (in one word),
optimizes it with -hco, -hco-verify and the options, and runs it as TRAINING and
each RUN say. Status and output have to be the original's, also with blocks called
cold at random or the other way round. All that -print-hot-cold says is printed;
the optimized program is OUTPUT.o.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402

arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
options = [a for a in sys.argv[1:] if a.startswith("-")]
source, output, runs = arguments[0], arguments[1], arguments[2:]
flags = [f for o in options if o.startswith("-flags=") for f in o[7:].split()]
options = [o for o in options if not o.startswith("-flags=")]
MODES = [(f"-hco-random={seed}",) for seed in range(1, 5)] + [("-hco-invert",)]


def must(*command):
    result = subprocess.run(command, text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: status {result.returncode}\n"
                 f"{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def observe(program, run):
    result = subprocess.run([program, *run.split()], text=True, capture_output=True,
                            timeout=limit(60))
    return result.returncode, result.stdout


def compare(program, what):
    for run, expected in zip(runs, wanted):
        got = observe(program, run)
        if got != expected:
            sys.exit(f"{what}, run with '{run}': {got}, not {expected}")


compiler = "g++" if source.endswith(".cpp") else "gcc"
must(compiler, "-O2", "-w", "-fno-reorder-blocks-and-partition", "-fPIE", "-pie",
     "-Wl,--emit-relocs", *flags, source, "-o", output)
wanted = [observe(output, run) for run in runs]
profile = f"{output}.gprofile"
if os.path.exists(profile):
    os.remove(profile)
must("graupel-bolt", output, "-o", f"{output}.i", "-instrument",
     f"-instrumentation-file={profile}")
if observe(f"{output}.i", runs[0]) != wanted[0]:
    sys.exit("instrumented: something else")
hco = ["graupel-bolt", output, f"-data={profile}", "-hco", "-hco-verify"]
messages = must(*hco, "-o", f"{output}.o", "-print-hot-cold", *options)
compare(f"{output}.o", "optimized")
for mode in MODES:
    must(*hco, "-o", f"{output}.r", *mode)
    compare(f"{output}.r", mode[0])
print(messages)
