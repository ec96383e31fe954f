#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exit-code.py N COMMAND...: fails unless COMMAND ends with exit code N."""
import subprocess
import sys

from limits import limit

expected, command = int(sys.argv[1]), sys.argv[2:]
code = subprocess.run(command, timeout=limit(60)).returncode
if code != expected:
    sys.exit(f"exit-code.py: {' '.join(command)}: {code}, expected {expected}")
