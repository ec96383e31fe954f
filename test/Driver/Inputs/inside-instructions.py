# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the addresses of inlined functions and calls in the debug information
that are not the begin of an instruction of .text: inside-instructions.py
FILE."""

import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


program = sys.argv[1]
code = output("llvm-objdump", "-d", "--section=.text", program)
begins = {int(place, 16) for place in re.findall(r"^ *([0-9a-f]+):", code,
                                                 re.MULTILINE)}
tag, count = "", 0
for line in output("llvm-dwarfdump", "--debug-info", program).splitlines():
    found = re.search(r"(DW_TAG_\w+)", line)
    if found:
        tag = found.group(1)
    if "inlined" not in tag and "call_site" not in tag:
        continue
    for place in re.findall(r"(?:_pc\t\(|\[)0x([0-9a-f]+)[,)]", line):
        if "high_pc" in line:
            continue
        count += 1
        if int(place, 16) not in begins:
            print(tag, line.strip())
print("addresses:", "many" if count > 6 else count)
