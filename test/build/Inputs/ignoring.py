# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Becomes a command that ignores SIGCHLD, as some shells and services start it."""
import os
import signal
import sys

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])
