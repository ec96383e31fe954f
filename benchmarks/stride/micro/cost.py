#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it costs a process to record a kernel: its processor time with and without, all included.

    cost.py CONFIG affine|irregular|nests [--runs N] [--rounds N]

CONFIG is build/share/graupel/graupel-stride.cfg. A kernel's own clock does not see what is counted
when the process ends. Prints each kernel's time without recording (ms) and the ratio of the times.
"""

import argparse
import math
import os
import pathlib
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
NO_KERNEL = "-"


def processor_time(command, folder):
    """Seconds of user and system time; with precedence, if we may."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.environ["GRAUPEL_STRIDE_OUT"] = os.path.join(folder, "record.gstride")
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        except PermissionError:
            pass
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"error: {' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def build(config, program, folder):
    paths = []
    for name, flags in (("plain", []), ("recorded", [f"--config={config}"])):
        paths.append(os.path.join(folder, name))
        subprocess.run(["clang-22", *flags, "-O3", "-g", FOLDER / f"{program}.c", "-o", paths[-1], "-lm"],
                       check=True)
    return paths


def measure(plain, recorded, kernel, runs, rounds, folder):
    """Least of `rounds`, alternating."""
    times = [(processor_time([plain, kernel, runs], folder), processor_time([recorded, kernel, runs], folder))
             for _ in range(rounds)]
    return [min(each) for each in zip(*times)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config")
    parser.add_argument("program", choices=["affine", "irregular", "nests"])
    parser.add_argument("--runs", default="5", help="of each kernel in a process (default: 5)")
    parser.add_argument("--rounds", type=int, default=2, help="of which the least counts (default: 2)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plain, recorded = build(os.path.abspath(options.config), options.program, folder)
        every = "all" if options.program == "irregular" else ""
        listed = subprocess.run([plain, every], capture_output=True, text=True, check=True).stdout
        start = measure(plain, recorded, NO_KERNEL, "1", 3, folder)
        ratios = []
        for kernel in dict.fromkeys(line.split()[0] for line in listed.splitlines()):
            times = measure(plain, recorded, kernel, options.runs, options.rounds, folder)
            # A tenth of a millisecond is what clocks of processes tell apart.
            before, after = (max(time - none, 1e-4) for time, none in zip(times, start))
            ratios.append(after / before)
            print(f"{kernel:20} {before * 1e3:9.2f} ms {ratios[-1]:7.2f}", flush=True)
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)}: {mean:.2f}; {sum(r <= 1.2 for r in ratios)} at most 1.2")


if __name__ == "__main__":
    main()
