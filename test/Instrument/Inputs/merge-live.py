# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Merges a profile again and again while processes start, count and end.

  merge-live.py PROGRAM PROFILE
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gprofile import Profile

program, profile = sys.argv[1:]
environment = dict(os.environ, GRAUPEL_PROFILE=profile)
last = 0
# The first makes the file.
subprocess.run([program, "100000"], env=environment, check=True)
for _ in range(23):
    process = subprocess.Popen([program, "100000"], env=environment)
    subprocess.run(["graupel-bolt", "merge", "-o", profile + ".sum", profile], check=True)
    now = Profile(profile + ".sum").entries("even")
    assert now >= last, (now, last)
    last = now
    assert process.wait() == 0
subprocess.run(["graupel-bolt", "merge", profile, "-o", profile + ".sum"], check=True)
