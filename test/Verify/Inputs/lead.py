# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the first call in a function lead to address 0, or the first instruction
of a name to a symbol.

  lead.py FILE FUNCTION [NAME SYMBOL]
"""
import re
import subprocess
import sys

path, function = sys.argv[1:3]
name, symbol = sys.argv[3:] or ("callq", None)
target = 0
if symbol:
    symbols = subprocess.run(["llvm-nm", path], capture_output=True, text=True, check=True).stdout
    target = int(re.search(rf"^([0-9a-f]+) . {symbol}$", symbols, re.M)[1], 16)
code = subprocess.run(["llvm-objdump", "-d", f"--disassemble-symbols={function}",
                       path], capture_output=True, text=True, check=True).stdout
found = re.search(r"^\s*([0-9a-f]+): ((?:[0-9a-f]{2} )+)\s*" + name + r"\s", code, re.M)
address, size = int(found[1], 16), len(found[2].split())
headers = subprocess.run(["llvm-readelf", "-lW", path], capture_output=True,
                         text=True, check=True).stdout
for offset, begin, length in re.findall(
        r"LOAD\s+0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ 0x([0-9a-f]+)", headers):
    offset, begin, length = (int(n, 16) for n in (offset, begin, length))
    if begin <= address < begin + length:
        with open(path, "r+b") as file:
            file.seek(offset + address - begin + size - 4)
            file.write((target - (address + size) & 0xffffffff).to_bytes(4, "little"))
