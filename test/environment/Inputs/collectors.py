# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes count while collectors collect and are killed at random.

Usage: collectors.py COLLECTOR PROGRAM SPOOL MERGED ROUNDS WIDTH SEED

Ends with an error unless what was merged is what was counted.
"""

import os
import random
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "runtime", "Inputs"))
from profile import Profile  # noqa: E402 (ours, beside the runtime's tests)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

COUNTED_BY_ONE = 4000


def empty_slots(profile):
    """Slots that nobody has ever had."""
    starts = range(profile.slots_offset, len(profile.data), profile.slot_size)
    return sum(struct.unpack_from("<Q", profile.data, at)[0] == 0 for at in starts)


def collect_until(done, command, seed, killed, failed):
    generator = random.Random(seed)
    while not done.is_set():
        collector = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            if collector.wait(timeout=generator.uniform(0, 0.02)):
                failed.append(collector.returncode)
        except subprocess.TimeoutExpired:
            collector.kill()
            collector.wait()
            killed.append(1)


def main():
    collector, program, spool, merged, rounds, width, seed = sys.argv[1:]
    rounds, width, seed = int(rounds), int(width), int(seed)
    command, done = [collector, spool, merged], threading.Event()
    killed, failed = [], []
    collectors = [threading.Thread(target=collect_until,
                                   args=(done, command, seed + n, killed, failed))
                  for n in range(2)]
    for thread in collectors:
        thread.start()
    said = 0
    for _ in range(rounds):
        processes = [subprocess.Popen([program, str(way % 4)],
                                      stderr=subprocess.PIPE)
                     for way in range(width)]
        for process in processes:
            said += len(process.communicate()[1])
    done.set()
    for thread in collectors:
        thread.join()
    start = time.monotonic()
    while any("=" in name or name.endswith(".gprofile")
              for name in os.listdir(spool)) and time.monotonic() < start + limit(20):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    left = os.listdir(spool)
    files = [name for name in os.listdir(merged) if not name.startswith(".new")]
    profiles = [Profile(os.path.join(merged, name)) for name in files]
    total = sum(profile.counters[0] for profile in profiles)
    empty = sum(empty_slots(profile) for profile in profiles)
    expected = rounds * width * COUNTED_BY_ONE
    print(f"{total} of {expected} in {len(files)} files, {len(killed)} "
          f"collectors killed, {failed} failed, {said} bytes said, left {left}, {empty} slots wasted")
    sys.exit(total != expected or said != 0 or left != [] or not killed or
             failed != [] or empty != 0)


main()
