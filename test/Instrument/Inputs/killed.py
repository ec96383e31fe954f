# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a program, kills it at a random time, again and again, four at a time.
Prints what its profile must have, as counts.py takes it.

  killed.py PROGRAM

The program writes a byte after each piece of work. GRAUPEL_TEST_KILLS=N kills N
times four processes instead of 25 times.
"""

import os
import random
import subprocess
import sys
import time

WIDTH = 4
rounds = int(os.environ.get("GRAUPEL_TEST_KILLS", 25))
done = 0
random.seed(os.environ.get("GRAUPEL_TEST_SEED", 1))
for _ in range(rounds):
    # The pipes take more than the processes can write before they are killed,
    # and the test fails if they do not: then they would wait with a piece done.
    processes = [subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE)
                 for _ in range(WIDTH)]
    for process in processes:
        # Which may be before it has a slot.
        time.sleep(random.uniform(0, 0.004))
        process.kill()
    for process in processes:
        done += len(process.communicate()[0])
print(f"work={done}..{done + rounds * WIDTH} hashed={64 * done}..{64 * (done + rounds * WIDTH)}")
