#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py LINE COMMAND...: presses Ctrl-C two seconds after COMMAND has printed LINE,
and exits with its status."""

import signal
import subprocess
import sys
import time

# In the background of some shells it is ignored.
signal.signal(signal.SIGINT, signal.SIG_DFL)
with subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, text=True) as job:
    for line in job.stdout:
        if line.rstrip("\n") == sys.argv[1]:
            break
    time.sleep(2)
    job.send_signal(signal.SIGINT)
    job.stdout.read()
sys.exit(job.returncode if job.returncode >= 0 else 128 - job.returncode)
