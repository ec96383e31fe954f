#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hot-cold.py SOURCE.s OUTPUT [-flags=FLAGS] [OPTION...]

Links SOURCE.s, which defines work(), with run.c, trains the program where nothing
is rare, optimizes it with -hco, -hco-verify and the options, and runs it with
everything, something and nothing rare. The results have to be the original's,
with blocks called cold at random, too. What -print-hot-cold says of work() is
printed.
"""
import os
import re
import subprocess
import sys

source, output = sys.argv[1:3]
flags = [f for o in sys.argv[3:] if o.startswith("-flags=") for f in o[7:].split()]
options = [o for o in sys.argv[3:] if not o.startswith("-flags=")]
run = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.c")
RUNS = (["3000", "0"], ["300", "7"], ["300", "1"])


def must(*command):
    result = subprocess.run(command, text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: status {result.returncode}\n"
                 f"{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def compare(program, what):
    for arguments, expected in zip(RUNS, wanted):
        got = must(program, *arguments)
        if got != expected:
            sys.exit(f"{what} {' '.join(arguments)}: {got}, not {expected}")


must("gcc", "-O1", "-fPIE", "-pie", "-Wl,--emit-relocs", f"-Wa,-I{os.path.dirname(run)}", *flags,
     run, source, "-o", output)
wanted = [must(output, *arguments) for arguments in RUNS]
profile = f"{output}.gprofile"
if os.path.exists(profile):
    os.remove(profile)
must("graupel-bolt", output, "-o", f"{output}.i", "-instrument",
     f"-instrumentation-file={profile}")
must(f"{output}.i", *RUNS[0])
messages = must("graupel-bolt", output, "-o", f"{output}.o", f"-data={profile}",
                "-hco", "-hco-verify", "-print-hot-cold", *options)
compare(f"{output}.o", "optimized")
for seed in range(1, 5):
    must("graupel-bolt", output, "-o", f"{output}.r", f"-data={profile}", "-hco",
         "-hco-verify", f"-hco-random={seed}")
    compare(f"{output}.r", f"-hco-random={seed}")
# The last of several drafts is the one that was used.
drafts = re.findall(r"^hot version of work\n(?:  (?!not found).*\n)*", messages, re.M)
print(drafts[-1] if drafts else "")
# What was not found in a function comes before its name.
missed = []
for line in messages.splitlines():
    if line.startswith("  not found: "):
        missed.append(line)
        continue
    if line.startswith("work: "):
        print("\n".join([*missed, line]))
    if re.match(r"\S+: found ", line):
        missed = []
