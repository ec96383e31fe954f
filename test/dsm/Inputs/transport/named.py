#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""named.py NODE SECONDS COMMAND...: the command must end within SECONDS, after a
message of ours that names the node, of which nothing is left either."""

import re
import subprocess
import sys
import time

node, seconds, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
start = time.monotonic()
job = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=60, text=True,
                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
took = time.monotonic() - start
print(job.stdout)
if not re.search(rf"graupel dsm: error: .* node {node} \(process \d+ on \S+\)", job.stdout):
    sys.exit("the message does not name the node")
if took > seconds:
    sys.exit(f"it took {took:.1f} s")
