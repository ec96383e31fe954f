#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a graupel-bolt command that must fail, and checks how it fails.

  refuse.py graupel-bolt INPUT -o OUTPUT ...

A refusal exits with 1 (no signal, no other code), ends stderr with one line
"graupel-bolt: error: FILE: what; what to do", leaves an existing output as it
was and a missing one missing, and leaves nothing else in the output's folder.
What was said goes to stdout for FileCheck. OUTPUT must be in a folder that no
other test writes to.
"""
import os
import re
import subprocess
import sys

from limits import limit

command = sys.argv[1:]
output = command[command.index("-o") + 1] if "-o" in command else None
folder = os.path.dirname(os.path.abspath(output)) if output else None


def state():
    if not folder or not os.path.isdir(folder):
        return None
    files = {}
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        is_file = os.path.isfile(path) and not os.path.islink(path)
        content = open(path, "rb").read() if is_file else None
        files[name] = (content, os.lstat(path).st_mode)
    return files


before = state()
result = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=limit(60),
                        capture_output=True, text=True, errors="replace")
after = state()
sys.stdout.write(result.stdout + result.stderr)

complaints = []
if result.returncode != 1:
    complaints.append(f"exit code {result.returncode}, not 1")
errors = [line for line in result.stderr.splitlines()
          if line.startswith("graupel-bolt: error: ")]
if len(errors) != 1:
    complaints.append(f"{len(errors)} lines 'graupel-bolt: error: ...', not one")
for line in errors:
    if not re.fullmatch(r"graupel-bolt: error: [^:]+: [^;]+; [^;]+", line):
        complaints.append(f"not of the form 'FILE: what; what to do': {line}")
if before != after:
    changed = sorted(name for name in set(before or {}) | set(after or {})
                     if (before or {}).get(name) != (after or {}).get(name))
    complaints.append(f"files changed by the failure: {', '.join(changed)}")
for complaint in complaints:
    print(f"refuse.py: {complaint}")
if complaints:
    print("refuse.py: reproduce with: " + " ".join(command))
sys.exit(bool(complaints))
