#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""give-table.py FILE FUNCTION OUTPUT: the empty pointer to an exception table in the unwind
record of FUNCTION becomes one that leads to some place before it."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                "Verify", "Inputs"))
from subject import File  # noqa: E402

path, function, output = sys.argv[1:]
with open(path, "rb") as source:
    file = File(source.read(), [])
place = file.record(function)[0] + 17
assert file.data[place - 1] == 4 and file.get("i", place) == 0
file.put("i", place, -64)
with open(output, "wb") as target:
    target.write(file.data)
