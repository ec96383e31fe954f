#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""label-tables.py PROGRAM [--fixed]: the interpreters of label-tables.c in each mode.

All but distances() and published() are optimized; each label's count is exact; the rare handlers leave
the hot part; outputs are those of PROGRAM. --fixed: PROGRAM is not position-independent.
"""
import re
import subprocess
import sys

PROGRAM = sys.argv[1]
UNDERSTOOD = ["table", "threaded"]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def optimize(name, *options):
    output = f"{PROGRAM}.{name}"
    said = run("graupel-bolt", PROGRAM, "-o", output, "-verify", "-v=1", *options)
    for function in UNDERSTOOD:
        if re.search(rf"bolt:   {function}\b", said):
            sys.exit(f"{name}: {function} was skipped:\n{said}")
    for function in ("distances", "published"):
        if not re.search(rf"bolt:   {function}\b", said):
            sys.exit(f"{name}: {function} was not skipped:\n{said}")
    if run(output) != RIGHT:
        sys.exit(f"{name}: another result")
    return output


def counts(profile, function):
    """How often each label was jumped to: by the lines of fdata inside of the function."""
    found = {}
    for line in run("graupel-bolt", "export", profile).splitlines():
        words = line.split()
        if words[1].split("/")[0] == function and words[4:5] and words[4].split("/")[0] == function:
            found[words[5]] = found.get(words[5], 0) + int(words[7])
    return sorted(found.values())


RIGHT = run(PROGRAM)
optimize("plain")
for seed in range(1, 5):
    optimize(f"stress{seed}", f"-stress-layout={seed}")

profile = f"{PROGRAM}.gprofile"
run("rm", "-f", profile)
run("graupel-bolt", PROGRAM, "-o", f"{PROGRAM}.i", "-instrument", "-verify",
    f"-instrumentation-file={profile}")
if run(f"{PROGRAM}.i") != RIGHT:
    sys.exit("instrumented: another result")
doubled, x = 0, 1
for _ in range(1000):
    x += 26
    if not x & 1:
        doubled, x = doubled + 1, x * 2 % 100003
    x = (x + 13) * 2 % 100003 + 13
expected = sorted([4000, 1000, 1000, 1000 + doubled])
if counts(profile, "table") != expected:
    sys.exit(f"table: {counts(profile, 'table')}, not {expected}")
if sum(counts(profile, "threaded")) < 7000:
    sys.exit(f"threaded: {counts(profile, 'threaded')}")
output = optimize("faster", f"-data={profile}")
optimize("hco-off", f"-data={profile}", "-hco=false")
cold = run("llvm-objdump", "-d", "--no-show-raw-insn", "--section=.text.cold", output)
if "table.cold" not in cold or "printf" not in cold:
    sys.exit(f"the rare handler is not in the cold part:\n{cold[:2000]}")
