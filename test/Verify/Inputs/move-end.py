# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""move-end.py OUTPUT RESULT slot|operand: the end of the section "records" in an
output of test/Protect/end-of-section.s becomes the address of another function, in
the global offset table or in an instruction."""
import struct
import subprocess
import sys

output, result, what = sys.argv[1:]
symbols = {words[2]: int(words[0], 16)
           for words in map(str.split, subprocess.run(["llvm-nm", output], text=True, check=True,
                                                      capture_output=True).stdout.splitlines())}
form = "<Q" if what == "slot" else "<I"
before = (b"" if what == "slot" else b"\xb9")  # mov $end, %ecx
old, new = (before + struct.pack(form, symbols[name]) for name in ("__stop_records", "_start"))
data = bytearray(open(output, "rb").read())
# Old code comes before new code, and all that is loaded before the symbols.
place = data.find(old) if what == "slot" else data.rfind(old)
assert place >= 0
data[place:place + len(old)] = new
with open(result, "wb") as f:
    f.write(data)
