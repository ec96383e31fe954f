#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corrupt.py FAULTS SCRATCH INPUT OUTPUT [INPUT OUTPUT]...: each fault is found by -verify.

Each OUTPUT was made of its INPUT by graupel-bolt. elf-verify must accept it, and refuse
it with the right words after each of the faults of Inputs/FAULTS.py that it has a place
for. SCRATCH is a file to write.
"""
import importlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from limits import limit  # noqa: E402
from subject import File, Nothing, disassemble  # noqa: E402

FAULTS = importlib.import_module(sys.argv[1]).FAULTS
SCRATCH = sys.argv[2]


class Pair:
    def __init__(self, before, now):
        self.path = before
        with open(before, "rb") as source:
            self.before = File(source.read(), [])
        with open(now, "rb") as source:
            self.data = source.read()
        self.code = disassemble(now)

    def verify(self, file):
        with open(SCRATCH, "wb") as scratch:
            scratch.write(file.data)
        result = subprocess.run(["elf-verify", self.path, SCRATCH], capture_output=True, text=True,
                                errors="replace", timeout=limit(60))
        if result.returncode not in (0, 1):
            return f"elf-verify ended with {result.returncode}"
        return result.stdout.strip()

    def judge(self, words, write):
        """What is said with the fault, and whether it is right; Nothing if there is no place."""
        file = File(self.data, self.code)
        write(file, self.before, self.verify)
        said = self.verify(file)
        return said, not said.startswith("verified") and any(word in said for word in words)


pairs = [Pair(*sys.argv[i:i + 2]) for i in range(3, len(sys.argv), 2)]
for pair in pairs:
    said = pair.verify(File(pair.data, []))
    if not said.startswith("verified: "):
        sys.exit(f"the output of {pair.path} is refused: {said}")
caught = kinds = 0
for group, name, words, write in FAULTS:
    verdicts = []
    for pair in pairs:
        try:
            verdicts.append(pair.judge(words, write))
        except (Nothing, StopIteration, ValueError, IndexError):
            continue
    if not verdicts:
        print(f"left out - {group}/{name}: no place")
        continue
    kinds += 1
    right = all(verdict[1] for verdict in verdicts)
    caught += right
    said = next((s for s, r in verdicts if not r), verdicts[0][0]).split("; this is")[0]
    print(f"{'ok' if right else 'not ok'} - {group}/{name}: {said}")
print(f"{kinds} kinds, {caught} caught")
sys.exit(kinds != caught)
