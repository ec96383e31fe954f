# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command for which the kernel forbids perf_event_open, as containers do."""
import ctypes
import os
import struct
import sys

PERF_EVENT_OPEN = 298  # On x86-64.
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # Words of a classic BPF program.
ALLOW, ERROR = 0x7fff0000, 0x00050000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
EPERM = 1

steps = [(LOAD, 0, 0, 0), (EQUAL, 0, 1, PERF_EVENT_OPEN), (RETURN, 0, 0, ERROR | EPERM),
         (RETURN, 0, 0, ALLOW)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, FILTER, program, 0, 0)):
    if libc.prctl(*arguments):
        sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[1], sys.argv[1:])
