#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a graupel-bolt command on a terminal: it shows how far it is if that takes
long (here it waits for somebody who reads its log, until it has shown something),
and nothing of that otherwise."""
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                "tools"))
from limits import limit  # noqa: E402


def run(command, until=None, then=None):
    """What the command wrote to its terminal. Calls then() when it wrote until."""
    master, terminal = pty.openpty()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=terminal, start_new_session=True,
                               env={**os.environ, "TERM": "xterm"})
    os.close(terminal)
    said, end = b"", time.monotonic() + limit(60)
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                said += os.read(master, 4096)
            except OSError:  # Nobody has the terminal any more.
                break
        if until and until in said:
            then()
            until = None
    else:
        os.killpg(process.pid, signal.SIGKILL)
        sys.exit(f"does not end; it said {said!r}")
    if process.wait():
        sys.exit(f"status {process.returncode}: {said!r}")
    return said


with tempfile.TemporaryDirectory() as folder:
    log = os.path.join(folder, "log")
    os.mkfifo(log)
    # Open for writing, too: graupel-bolt may try twice, and open it twice.
    readers = []
    said = run([*sys.argv[1:], f"-log-file={log}"], b" s\x1b[K",
               lambda: readers.append(os.open(log, os.O_RDWR)))
if not said.startswith(b"\rgraupel-bolt: reading the program, ") or not readers:
    sys.exit(f"no progress shown: {said!r}")
if not said.endswith(b"\r\x1b[K"):
    sys.exit(f"progress left behind: {said!r}")

said = run([*sys.argv[1:], "-log-file=/dev/null"])
if said and not said.endswith(b"\r\x1b[K"):  # The machine may be slow.
    sys.exit(f"something left behind: {said!r}")
