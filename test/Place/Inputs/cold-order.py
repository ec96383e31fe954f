# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cold-order.py LOG PROGRAM N: fails unless the cold parts in PROGRAM are in the
order that -print-placement printed in LOG, those that were given no place coming
last, and at least N were given one."""
import re
import subprocess
import sys

log, program, least = open(sys.argv[1]).read(), sys.argv[2], int(sys.argv[3])
# A part that never ran is printed, too, under the number the next one gets; the
# last line that has a number is the part that has it.
printed = re.findall(r"^place (\d+): (\S+?)(?:/\d+)?(?:\(\*\d+\))? cold ", log, re.M)
placed = [name for (number, name), following in
          zip(printed, [*printed[1:], (None, None)]) if following[0] != number]
count = int(re.search(r"and (\d+) cold parts", log)[1])
placed = placed[:count]
emitted = [line.split()[2] for line in
           subprocess.run(["llvm-nm", "-n", program], check=True, text=True,
                          capture_output=True).stdout.splitlines()
           if re.search(r"\.cold\.0$", line)]
emitted = [re.sub(r"(/\d+)?\.cold\.0$", "", name) for name in emitted]
print("placed: ", *placed)
print("emitted:", *emitted)
if len(placed) < least:
    sys.exit(f"{len(placed)} cold parts were placed, this test needs {least}")
if emitted[:len(placed)] != placed:
    sys.exit("the order is not the one that was printed")
if len(emitted) == len(placed):
    sys.exit("this test needs a cold part that was given no place")
