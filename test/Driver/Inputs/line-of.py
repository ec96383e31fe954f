# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the lines of the instructions of a function: line-of.py FILE NAME."""

import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


program, name = sys.argv[1:]
for line in output("nm", "-S", program).splitlines():
    fields = line.split()
    if len(fields) == 4 and fields[-1] == name:
        begin = int(fields[0], 16)
        end = begin + int(fields[1], 16)
print(output("llvm-symbolizer", "--obj=" + program, "--output-style=GNU",
             *(hex(place) for place in range(begin, end))))
