#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""until.py TEXT... -- COMMAND...: runs COMMAND, which never ends by itself, until each
TEXT has stood in a line that it printed; prints all lines and exits with status 1."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
from limits import limit

at = sys.argv.index("--")
missing = set(sys.argv[1:at])
signal.alarm(int(limit(60)))
with subprocess.Popen(sys.argv[at + 1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      text=True) as job:
    for line in job.stdout:
        print(line, end="", flush=True)
        missing -= {text for text in missing if text in line}
        if not missing:
            break
    job.terminate()
    for line in job.stdout:
        print(line, end="", flush=True)
sys.exit(1)
