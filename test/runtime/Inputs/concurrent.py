# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Five times, starts fifty processes at once, which end in different ways."""

import subprocess
import sys

for _ in range(5):
    processes = [subprocess.Popen([sys.argv[1], str(way % 4)])
                 for way in range(50)]
    for process in processes:
        process.wait()
