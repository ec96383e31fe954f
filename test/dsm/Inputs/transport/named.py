#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""named.py NODE SECONDS COMMAND...: the command must end within SECONDS (of an idle
machine), after a message of ours that names the node, of which nothing is left either."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

node, seconds, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
job = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=limit(seconds), text=True,
                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print(job.stdout)
if not re.search(rf"graupel dsm: error: .* node {node} \(process \d+ on \S+\)", job.stdout):
    sys.exit("the message does not name the node")
