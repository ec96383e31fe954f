# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies libgraupel-dsm.so with another name for one of Stache's handlers."""
import re
import sys

data = open(sys.argv[1], "rb").read()
names = re.findall(rb"\0(stache[.:_ -][A-Za-z-]+)\0", data)
assert names, "no name of a handler was found"
other = names[0][:-1] + b"?"
open(sys.argv[2], "wb").write(data.replace(b"\0" + names[0] + b"\0", b"\0" + other + b"\0"))
