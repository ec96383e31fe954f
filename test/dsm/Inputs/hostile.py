#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py PROGRAM: bad input, bad programs and bad surroundings for `graupel dsm run`.

Each must end soon, with the status and the words of the table, and leave no process."""

import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

RUN = "graupel dsm run"
PROGRAM = os.path.abspath(sys.argv[1])
GONE = r"node 2 \(process \d+ on .*\) "
KILLED = rf"graupel dsm: {GONE}was killed by signal"
ENDED = r"error: node [01] .* gdsm_parallel waits for node 2, which has ended, with status"
LIMITS = r"graupel dsm: error: cannot run .*: Too many open files; check"

# (command, status, what it says); P is the program.
CASES = [
    (f"{RUN}", 1, "the number of nodes is missing; say -n N"),
    (f"{RUN} -n 2", 1, "the program is missing"),
    (f"{RUN} -n 0 P", 1, "-n is `0`; give a number from 1 to 64"),
    (f"{RUN} -n 1000 P", 1, "-n is `1000`; give a number from 1 to 64"),
    (f"{RUN} -n 2x P", 1, "-n is `2x`"),
    (f"{RUN} -n 2 --block=33 P", 1, "--block is 33; give a power of two from 32 to 4096"),
    (f"{RUN} -n 2 --block=8192 P", 1, "--block is `8192`; give a number from 32 to 4096"),
    (f"{RUN} -n 2 --threads-per-node=0 P", 1, "--threads-per-node is `0`"),
    (f"{RUN} -n 2 {__file__}/no", 1, "cannot run .*: Not a directory"),
    (f"{RUN} -n 2 {os.path.dirname(__file__)}", 1, "cannot run .*: Permission denied; check"),
    (f"{RUN} -n 2 ./nowhere", 1, "cannot run ./nowhere: No such file or directory; give a path"),
    (f"{RUN} -n 2 false", 1, ""),
    (f"{RUN} -n 2 --threads-per-node=256 P", 0, "well"),
    # How one node ends.
    (f"{RUN} -n 3 P segv", 139, rf"{KILLED} 11 \(Segmentation fault\); the job ends"),
    (f"{RUN} -n 3 P stack", 139, rf"{KILLED} 11"),
    (f"{RUN} -n 3 P fpe", 136, rf"{KILLED} 8"),
    (f"{RUN} -n 3 P abort", 134, rf"{KILLED} 6"),
    (f"{RUN} -n 3 P exit3", 3, f"{ENDED} 3"),
    (f"{RUN} -n 3 P exit0", 1, f"{ENDED} 0"),
    (f"{RUN} -n 3 P _exit3", 3, rf"{GONE}exited with status 3 before the end of the job"),
    (f"{RUN} -n 3 P _exit0", 1, rf"{GONE}exited with status 0 before the end of the job"),
    (f"{RUN} -n 3 P exec", 5, rf"{GONE}exited with status 5 before the end of the job"),
    (f"{RUN} -n 3 P fork", 0, "child 7\nwell"),
    (f"{RUN} -n 3 P daemon", 0, "well"),
    (f"{RUN} -n 3 P close", 1, "node 2 lost the launcher: Bad file descriptor"),
    (f"{RUN} -n 3 P late", 9, "well"),
    (f"{RUN} -n 1 P exit3", 3, ""),
    ("P exit3", 3, ""),
    # Files that are closed, full, or not read.
    (f"{RUN} -n 3 P <&-", 0, "well"),
    (f"{RUN} -n 3 P 2>&-", 0, "well"),
    (f"{RUN} -n 3 P >&-", 1, "cannot write what the nodes print: Bad file descriptor"),
    (f"{RUN} -n 3 P exit3 <&- >&- 2>&-", 3, ""),
    (f"{RUN} -n 3 P > /dev/full", 1, "cannot write what the nodes print: No space left on device"),
    (f"{RUN} -n 2 P much | grep -x well", 0, "well"),
    # Limits, and what is missing around it.
    (f"ulimit -v 1000000; {RUN} -n 2 P", 1, "cannot reserve 4 TiB .* `ulimit -v unlimited`"),
    *((f"ulimit -n {n}; {RUN} -n 2 P", 1, LIMITS) for n in range(6, 17, 2)),
    (f"ulimit -f 0; {RUN} -n 2 P", 1, "cannot prepare the job: File too large; check"),
    (f"ulimit -s 64; {RUN} -n 2 P", 0, "well"),
    (f"env -u HOME {RUN} -n 2 P", 0, "well"),
    (f"cd /proc/1; {RUN} -n 2 P", 0, "well"),
    (f"{RUN} -n 2 P & {RUN} -n 2 P; wait", 0, "well\nwell"),
    # The environment.
    (f"GRAUPEL_DSM_BLOCK=33 {RUN} -n 2 P", 1, "GRAUPEL_DSM_BLOCK is '33'; it must be a power of"),
    (f"GRAUPEL_DSM_THREADS=x {RUN} -n 2 P", 1, "GRAUPEL_DSM_THREADS is 'x'; it must be a number"),
    ("GRAUPEL_DSM_LAUNCHER=1,2,3 P", 1, "GRAUPEL_DSM_LAUNCHER=1,2,3 makes no sense"),
    ("GRAUPEL_DSM_LAUNCHER=90,91,0,2 P", 1, "leaves descriptor 90 open"),
    (f"UCX_TLS=nonsense {RUN} -n 2 P", 1, "UCX cannot start: No such device; "),
    (f"{RUN} -n 2 --report={__file__} P", 1, "cannot write the report into .* .Not a directory.; name another"),
    (f"{RUN} -n 2 --report=/proc/no P", 1, "cannot make the folder /proc/no for the report"),
]


def left(mark):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ:
                if mark.encode() in environ.read().split(b"\0"):
                    found.append(int(pid))
        except OSError:
            pass
    return found


def complaint(number, command, status, says):
    mark = f"GRAUPEL_TEST_MARK={os.getpid()}-{number}"
    name, _, value = mark.partition("=")
    command = re.sub(r"\bP\b", PROGRAM, command)
    start = time.monotonic()
    with subprocess.Popen(["bash", "-c", command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, name: value}) as job:
        try:
            output, _ = job.communicate(timeout=limit(30))
        except subprocess.TimeoutExpired:
            output = "did not end"
        while left(mark) and time.monotonic() < start + limit(30):
            time.sleep(0.01)
        survivors = left(mark)
        for pid in survivors:
            os.kill(pid, signal.SIGKILL)
    wrong = []
    if job.returncode != status:
        wrong.append(f"status {job.returncode}, not {status}")
    if survivors:
        wrong.append(f"processes are left: {survivors}")
    if not re.search(says, output) or (not says and output):
        wrong.append(f"does not say `{says}`")
    return f"{command}\n  {'; '.join(wrong)}\n{output}" if wrong else None


failed = list(filter(None, (complaint(i, *case) for i, case in enumerate(CASES))))
print(*failed, f"{len(CASES)} cases, {len(failed)} failed", sep="\n")
sys.exit(bool(failed))
