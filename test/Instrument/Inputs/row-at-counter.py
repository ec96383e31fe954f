#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""row-at-counter.py FILE

FILE has what llvm-dwarfdump says of unwind records and, behind that, the code of a
function that begins with a push. The row that holds behind the push has to begin there.
"""
import re
import sys

text = open(sys.argv[1]).read()
records, code = text.split("Disassembly of section", 1)
push, behind = re.findall(r"^ *([0-9a-f]+): ", code, re.M)[:2]
begin = int(push, 16)
for record in re.split(r"\n(?=[0-9a-f]{8} )", records):
    if re.search(rf"FDE .*pc={begin:08x}\.\.\.", record):
        rows = re.findall(r"0x([0-9a-f]+): CFA=RSP\+(\d+)", record)
        if (behind.rjust(1), 16) in [(format(int(at, 16), "x"), int(offset))
                                     for at, offset in rows]:
            sys.exit(0)
        sys.exit(f"no row CFA=RSP+16 at {behind}: {rows}")
sys.exit(f"no unwind record at {push}")
