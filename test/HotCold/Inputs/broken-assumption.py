#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""broken-assumption.py SOURCE.s OUTPUT NAME[,NAME...] [OPTION...]

Links SOURCE.s, which defines work(), with run.c, trains the program where nothing is
rare, and optimizes it with -hco and the options: nothing may be wrong. Then once for
each NAME, with optimizations that take what it names for wrong: the proof has to reject
a hot version, and the program has to do what it did.
"""
import os
import re
import subprocess
import sys

source, output, names = sys.argv[1:4]
options = sys.argv[4:]
run = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.c")
RUNS = (["3000", "0"], ["300", "7"], ["300", "1"])


def must(*command):
    result = subprocess.run(command, text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: status {result.returncode}\n"
                 f"{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout + result.stderr


def optimize(*more):
    """How many hot versions the proof accepts, and those that it rejects."""
    text = must("graupel-bolt", output, "-o", f"{output}.o", f"-data={profile}", "-hco",
                "-hco-growth=1000", "-v=1", *options, *more)
    proved = re.search(r"(\d+) hot versions proved", text)
    for arguments, expected in zip(RUNS, wanted):
        if must(f"{output}.o", *arguments) != expected:
            sys.exit(f"{' '.join(more)}: another result")
    return (int(proved.group(1)),
            re.findall(r"the hot version of (\S+) cannot be proved right", text))


must("gcc", "-O1", "-fPIE", "-pie", "-Wl,--emit-relocs", f"-Wa,-I{os.path.dirname(run)}", run,
     source, "-o", output)
wanted = [must(output, *arguments) for arguments in RUNS]
profile = f"{output}.gprofile"
if os.path.exists(profile):
    os.remove(profile)
must("graupel-bolt", output, "-o", f"{output}.i", "-instrument",
     f"-instrumentation-file={profile}")
must(f"{output}.i", *RUNS[0])
right, wrong = optimize()
if not right or wrong:
    sys.exit(f"{source}: {right} proved, wrong: {wrong}")
for name in names.split(","):
    right, wrong = optimize(f"-hco-break-assumption={name}")
    if not wrong:
        sys.exit(f"{name}: the proof rejects none of {right} hot versions of {source}")
    print(f"{name}: rejected {' '.join(wrong)}")
