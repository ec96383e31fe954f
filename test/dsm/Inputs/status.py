#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""status.py STATUS COMMAND...: runs a command, prints all it prints, and fails
unless it exits with this status within 30 s."""

import subprocess
import sys

try:
    job = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, timeout=30,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
except subprocess.TimeoutExpired as error:
    sys.exit(f"still running after 30 s; so far: {error.stdout}")
sys.stdout.buffer.write(job.stdout)
if job.returncode != int(sys.argv[1]):
    sys.exit(f"exit status {job.returncode}")
