# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Twenty times, starts fifty processes at once, which end in different ways; then
looks how many slots the profile has.

  run-fifty.py PROGRAM
"""

import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gprofile import Profile

ROUNDS, WIDTH = 20, 50
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
for _ in range(ROUNDS):
    processes = [subprocess.Popen([sys.argv[1], str(way % 4)]) for way in range(WIDTH)]
    for process in processes:
        process.wait()
slots = Profile(sys.argv[1] + ".gprofile").slots
sys.exit(0 if slots <= WIDTH else f"{slots} slots for {WIDTH} processes")
