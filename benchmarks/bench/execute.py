# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one child process and says what it cost.

User time and peak memory come from wait4, so they belong to exactly this child.
Every child sees the same small environment: the size of the environment moves the
stack, and a moved stack is enough to change a run time. Address randomization is
switched off for the same reason (and so that profiles are reproducible).

Note: Linux keeps the parent's peak as a lower bound of ru_maxrss across exec;
that bound (this Python process, about 20 MB) is far below any optimizer.
"""

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .errors import BenchError

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC", "HOME": "/nonexistent",
               "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"}


@dataclass
class Cost:
    """What one process used: seconds and kilobytes."""
    user_time: float
    wall_time: float
    peak_memory: int
    system_time: float = 0.0


def without_aslr():
    """Command prefix that switches address randomization off, empty where not permitted."""
    setarch = shutil.which("setarch")
    if setarch is None:
        return []
    prefix = [setarch, os.uname().machine, "-R"]
    probe = subprocess.run([*prefix, "true"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
    return prefix if probe.returncode == 0 else []


_PREFIX = None


def fixed_layout_prefix():
    """without_aslr(), probed once."""
    global _PREFIX
    if _PREFIX is None:
        _PREFIX = without_aslr()
    return _PREFIX


def moved_layout_prefix():
    """Undoes fixed_layout_prefix(): the addresses differ in each run."""
    return [fixed_layout_prefix()[0], os.uname().machine] if fixed_layout_prefix() else []


def spawn(argv, cwd, stdout=None, stderr=None, stdin=None):
    """Start a child in the fixed environment (stdout/stderr: files, default discard)."""
    return subprocess.Popen([str(a) for a in argv], cwd=cwd, env=ENVIRONMENT,
                            stdin=stdin or subprocess.DEVNULL,
                            stdout=stdout or subprocess.DEVNULL,
                            stderr=stderr or subprocess.DEVNULL)


def reap(process, started):
    """Wait for a spawned child; returns (status, Cost)."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, Cost(usage.ru_utime, time.perf_counter() - started,
                                    usage.ru_maxrss, usage.ru_stime)


def run(argv, cwd, stdout_path=None, what=None, allow_failure=False):
    """Run a child to its end; returns its Cost, or raises with the end of its stderr."""
    log = Path(cwd).parent / "stderr.log"
    with open(stdout_path or os.devnull, "ab") as out, open(log, "w+b") as err:
        started = time.perf_counter()
        try:
            child = spawn(argv, cwd, stdout=out, stderr=err)
        except OSError as error:
            raise BenchError(f"cannot run {argv[0]}: {error.strerror}") from error
        status, cost = reap(child, started)
        if status != 0 and not allow_failure:
            err.seek(0)
            tail = "\n  ".join(err.read().decode(errors="replace").strip().splitlines()[-12:])
            raise BenchError(f"{what or Path(str(argv[0])).name} ended with status {status}:\n  {tail}")
    return cost
