#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""truncate.py FILE N CUT COMMAND...: writes the first part of FILE to CUT, for N
lengths from nothing to all but one byte, and fails where COMMAND does."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

source, steps, cut, command = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
content = open(source, "rb").read()
lengths = {len(content) * i // steps for i in range(steps)}
lengths |= {1, 4, 16, 63, 64, 65, len(content) - 1}
for length in sorted(lengths):
    with open(cut, "wb") as f:
        f.write(content[:length])
    result = subprocess.run(command, capture_output=True, text=True, timeout=limit(60))
    if result.returncode:
        sys.exit(f"cut to {length} of {len(content)} bytes:\n"
                 f"{result.stdout}{result.stderr}")
