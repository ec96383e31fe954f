#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""link-asm.py INPUT.s OUTPUT [LINKER OPTION...]

Assembles and links a program that uses no library; relocations are kept unless
linker options are given. The profile written in INPUT.s goes to OUTPUT.fdata:

  # FDATA: 1 work #Lloop# 1 work #Lcold# 0 7

is a line of fdata in which #LABEL# stands for the label's offset in the
function named before it. Such labels begin with L and are not in the output.
"""
import re
import subprocess
import sys

source, output, options = sys.argv[1], sys.argv[2], sys.argv[3:]
subprocess.run(["clang", "--target=x86_64-unknown-linux-gnu", "-c", source,
                "-o", output + ".o"], check=True)

addresses = {}
symbols = subprocess.run(["llvm-nm", output + ".o"], check=True, text=True,
                         capture_output=True).stdout
for line in symbols.splitlines():
    address, kind, name = line.rsplit(maxsplit=2) if line[0] != " " else (None,) * 3
    if address:
        addresses[name] = int(address, 16)

profile = []
for line in open(source):
    if match := re.match(r"\s*# FDATA: (.*)", line):
        profile.append(re.sub(
            r"(\S+) #(\w+)#",
            lambda m: f"{m[1]} {addresses[m[2]] - addresses[m[1]]:x}", match[1]))
if profile:
    with open(output + ".fdata", "w") as f:
        f.write("\n".join(profile) + "\n")

subprocess.run(["llvm-objcopy", "--wildcard", "--strip-symbol=L*", output + ".o"],
               check=True)
subprocess.run(["ld.lld", *(options or ["--emit-relocs"]), output + ".o",
                "-o", output], check=True)
