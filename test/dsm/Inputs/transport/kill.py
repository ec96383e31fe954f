#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills nodes at random times, and looks at what is left.

    kill.py [--runs N] [--nodes N] [--seed S] [--victim node|launcher] COMMAND...

Runs COMMAND, which must not end by itself, kills one of its nodes (children of
the command) with signal 9, and requires: the command ends within limit(5), its status
is 137, its message names the node and the process, no process of the job and no
shared memory is left. UCX makes a System V segment and has the kernel remove it a
moment later: if the launcher is killed then, nobody is there to do that.
"""

import argparse
import glob
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)


def children(pid):
    """Processes whose parent is `pid`, oldest first."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append((int(fields[19]), int(path.split("/")[2])))
    return [pid for _, pid in sorted(found)]


def marked(mark):
    """Processes of the job, by a variable in their environment."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as environ:
                if mark.encode() in environ.read():
                    found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def shared_memory():
    """What nobody uses, or hides, as UCX does with what it uses."""
    segments = set(os.listdir("/dev/shm"))
    with open("/proc/sysvipc/shm") as table:
        for line in table.readlines()[1:]:
            fields = line.split()
            if fields[6] == "0":  # users
                segments.add("shmid " + fields[1])
    return segments


def one_run(args, rng, number):
    mark = f"GRAUPEL_TEST_MARK={os.getpid()}-{number}"
    name, _, value = mark.partition("=")
    job = subprocess.Popen(args.command, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           text=True, env=dict(os.environ, **{name: value}))
    # Not before all nodes exist, and mostly while they start.
    nodes = []
    while len(nodes) < args.nodes:
        nodes = children(job.pid)
        if job.poll() is not None:
            sys.exit(f"the job ended by itself: {job.stderr.read()}")
    time.sleep(rng.choice([rng.uniform(0, 0.03), rng.uniform(0, 0.3)]))
    victim = job.pid if args.victim == "launcher" else rng.choice(nodes)
    os.kill(victim, signal.SIGKILL)
    start = time.monotonic()
    try:
        _, errors = job.communicate(timeout=limit(5))
    except subprocess.TimeoutExpired:
        job.kill()
        sys.exit(f"run {number}: the job lives {limit(5):.0f} s after a node was killed")
    took = time.monotonic() - start
    wrong = []
    if args.victim == "node":
        message = re.search(r"graupel dsm: node (\d+) \(process (\d+) on \S+\) was "
                            r"killed by signal 9 \(Killed\); the job ends", errors)
        if not message or int(message[2]) != victim:
            wrong.append("the message does not name the node")
        elif nodes[int(message[1])] != victim:
            wrong.append("the message names another node")
        if errors.count("\n") != 1:
            wrong.append("there is more than the message")
        if job.returncode != 137:
            wrong.append(f"the status is {job.returncode}")
    while marked(mark) and time.monotonic() - start < limit(5):
        time.sleep(0.01)
    if left := marked(mark):
        wrong.append(f"processes are left: {left}")
    if wrong:
        sys.exit(f"run {number}: {'; '.join(wrong)}\n{errors}")
    return took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int,
                        default=int(os.environ.get("GRAUPEL_TEST_KILLS", 15)))
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--victim", choices=["node", "launcher"], default="node")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    print(f"seed {args.seed}")
    before = shared_memory()
    times = [one_run(args, rng, number) for number in range(args.runs)]
    # Others' shared memory may come and go; what stays is ours.
    start = time.monotonic()
    while (left := shared_memory() - before) and time.monotonic() < start + limit(3):
        time.sleep(0.1)
    if args.victim == "launcher" and len(left) == 1 and min(left).startswith("shmid "):
        left = set()
    if left:
        sys.exit(f"shared memory is left: {sorted(left)}")
    print(f"{args.runs} jobs ended, after {max(times):.2f} s at most")


main()
