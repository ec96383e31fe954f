#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""status.py STATUS COMMAND...: runs a command, prints all it prints, and fails
unless it exits with this status."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

try:
    job = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, timeout=limit(30),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
except subprocess.TimeoutExpired as error:
    sys.exit(f"still running after {limit(30):.0f} s; so far: {error.stdout}")
sys.stdout.buffer.write(job.stdout)
if job.returncode != int(sys.argv[1]):
    sys.exit(f"exit status {job.returncode}")
