#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unwind.py [ORACLE-OPTION VALUE...] ORIGINAL PROFILE PROGRAM... [-- GRAUPEL-OPTION...]

Optimizes ORIGINAL with -hco, -hco-verify and the options, and asks unwind-oracle
about the functions that became better, while it runs with the arguments PROGRAM.
If the oracle is not built yet, it is, beside the output ORIGINAL.unwound.
"""
import json
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
arguments = sys.argv[1:]
options = []
if "--" in arguments:
    at = arguments.index("--")
    arguments, options = arguments[:at], arguments[at + 1:]
asked = []
while arguments[0].startswith("-"):
    asked += arguments[:2]
    arguments = arguments[2:]
original, profile, run = arguments[0], arguments[1], arguments[2:]
output = f"{original}.unwound"
oracle = os.environ.get("UNWIND_ORACLE", f"{output}.oracle")
if not os.path.exists(oracle):
    subprocess.run(["g++", "-O2", "-std=c++17", os.path.join(here, "unwind-oracle.cpp"),
                    "-o", oracle, "-ldw", "-lelf"], check=True)
subprocess.run(["graupel-bolt", original, "-o", output, f"-data={profile}", "-hco",
                "-hco-verify", "-hco-report=json", f"-hco-report-file={output}.json",
                *options], check=True, stdout=subprocess.DEVNULL)


def stdout(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


# Of some functions of the C library, nothing ever told how to unwind them.
described = {int(start, 16) for start in
             re.findall(r"FDE.*pc=([0-9a-f]+)\.\.",
                        stdout("readelf", "--debug-dump=frames", original))}
known = {name for at, _, name in (line.split() for line in
                                  stdout("nm", "--defined-only", original).splitlines())
         if int(at, 16) in described}
names = known & {procedure["name"].split("/")[0].split("(")[0]
                 for procedure in json.load(open(f"{output}.json"))["procedures"]
                 if procedure["category"] == "optimized"}
with open(f"{output}.names", "w") as file:
    print(*sorted(names), sep="\n", file=file)
sys.exit(subprocess.run([oracle, *asked, f"{output}.names", output, *run]).returncode)
