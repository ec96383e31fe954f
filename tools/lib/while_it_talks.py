#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""while_it_talks.py SECONDS LOG COMMAND...: runs COMMAND, whose output goes to LOG, and ends
it when LOG has not grown for SECONDS: it hangs. Status 124 then, else the command's."""

import os
import signal
import subprocess
import sys
import time

seconds, log, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
with subprocess.Popen(command, start_new_session=True) as process:
    size, since = -1, time.monotonic()
    while process.poll() is None:
        now = os.path.getsize(log)
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > seconds:
            print(f"error: {command[0]} has said nothing for {seconds:.0f} s and was ended",
                  flush=True)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            sys.exit(124)
        time.sleep(1)
sys.exit(process.returncode if process.returncode >= 0 else 128 - process.returncode)
