#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""leaving.py PROGRAM: a node ends before the others' collective call or lock; nobody waits for it."""

import itertools
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

COLLECTIVE = {"barrier": "gdsm_barrier", "parallel": "gdsm_parallel", "sum": "gdsm_reduce_double",
              "least": "gdsm_reduce_int64", "broadcast": "gdsm_broadcast"}


def run(nodes, threads, *arguments):
    job = subprocess.run(["graupel", "dsm", "run", "-n", str(nodes),
                          f"--threads-per-node={threads}", sys.argv[1], *map(str, arguments)],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit(30),
                         check=False)
    # Checks by hand are none for the runtime, and each run tells of that.
    return job.returncode, "".join(
        line for line in job.stderr.splitlines(keepends=True)
        if not line.startswith("graupel dsm: note: compiled without checks: "))


def expect(nodes, threads, arguments, status, pattern):
    got, errors = run(nodes, threads, *arguments)
    lines = errors.splitlines()
    if (got != status or len(lines) != bool(pattern) or
            (pattern and not re.search(pattern, errors))):
        sys.exit(f"{nodes} nodes, {threads} threads, {arguments}: status {got} instead of {status}, "
                 f"and instead of {pattern!r}:\n{errors}")


for call, (leaver, late) in itertools.product(COLLECTIVE, ((0, []), (2, ["late"]))):
    own = 3 if late else 0
    with_status = f"has ended, with status {own}, without this call"
    expect(3, 1, [call, leaver, own, *late], own or 1,
           rf"error: node [^{leaver}] \(process .*{COLLECTIVE[call]} waits for node {leaver}, which "
           rf"{with_status}")
for leaver, late in (0, []), (1, ["late"]), (2, []), (2, ["late"]):
    expect(3, 1, ["lock", leaver, 0, *late], 1,
           rf"error: .*node [^{leaver}] waits in gdsm_lock for lock 5, which a thread of node "
           rf"{leaver} had when it ended")
# A thread that ends; also where those of its own node want the lock.
expect(2, 1, ["thread-lock", 1, 0], 1, r"error: .*waits in gdsm_lock for lock 5, which a thread of "
       r"node 1 had when it ended")
# The root does not wait, so only the end shows.
expect(3, 1, ["unheard", 1, 0], 1, r"node \d has called gdsm_broadcast 2 times, node 1 1 times")
# Inside of gdsm_parallel: a node, and a thread alone.
for late in ([], ["late"]):
    expect(3, 2, ["inside", 1, 4, *late], 4,
           r"gdsm_barrier waits for node 1, which has ended, with status 4, without this call")
    expect(3, 2, ["inside-thread", 1, 0, *late], 1, r"error: node 1 .*ended inside of gdsm_parallel")
# Locks that nobody wants any more are nobody's business.
expect(3, 1, ["none", 1, 0], 0, None)
expect(1, 1, ["lock", 0, 3], 3, None)
print("nobody waits for those who have left")
