#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time limits that end what hangs, on a machine of any speed and load.

    limits.py SECONDS COMMAND...      timeout(1), but longer on a busy machine

A test never fails because a machine is slow: its limits only end what would never
end. limit(seconds) is what a test waits for something that takes much less than
`seconds` on an idle machine: eight times as long, and longer by the load on each
processor.
GRAUPEL_TEST_SLOWNESS=N is a further factor, for emulators and the like.
"""

import math
import os
import resource
import signal
import subprocess
import sys
import time

GENEROSITY = 8


def slowness():
    """How much longer than on an idle machine things take now; 1 at least."""
    processors = len(os.sched_getaffinity(0))
    try:
        load = os.getloadavg()[0] / processors
    except OSError:
        load = 1
    return max(load, 1) * float(os.environ.get("GRAUPEL_TEST_SLOWNESS", "1"))


def limit(seconds):
    return seconds * GENEROSITY * slowness()


def is_overdue(start, seconds):
    """True if what began at time.monotonic() == start should have ended, if it takes
    less than `seconds` on an idle machine."""
    return time.monotonic() - start > limit(seconds)


def of_processor_time(seconds):
    """For preexec_fn: a process that computes for longer gets SIGXCPU. Whether a program
    that sleeps for nothing ends in time then depends on the program alone."""
    def confine():
        soft = math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + 5))
    return confine


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main():
    seconds, command = float(sys.argv[1]), sys.argv[2:]
    # Who starts tests may ignore these; a handler makes them usual for the command.
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.default_int_handler)
    start = time.monotonic()
    with subprocess.Popen(command, start_new_session=True) as process:
        while True:
            try:
                status = process.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                if is_overdue(start, seconds):
                    end_group(process)
                    sys.exit(f"limits.py: ended after {time.monotonic() - start:.0f} s: "
                             f"{' '.join(command)}")
    # As a shell says it.
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
