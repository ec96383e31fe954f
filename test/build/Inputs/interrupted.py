# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interrupts `graupel build` while it trains, in four ways, and says what is there."""

import os
import signal
import subprocess
import time


def build(train):
    """Starts a build in a group of its own, and waits until it trains."""
    if os.path.exists("trains"):
        os.remove("trains")
    process = subprocess.Popen(
        ["graupel", "build", "--train", f"echo > trains; {train}", "--", "make", "program"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while not os.path.exists("trains"):
        assert process.poll() is None
        time.sleep(0.05)
    return process


def identity():
    status = os.stat("program")
    return status.st_ino, status.st_size, status.st_mtime_ns


def state():
    return "put back" if identity() == plain else "something else"


subprocess.run(["graupel", "build", "--", "make", "program"], check=True, capture_output=True)
plain = identity()

process = build("./program; exec sleep 1000")
assert identity() != plain and identity()[2] == plain[2]
os.killpg(process.pid, signal.SIGINT)
print(f"Ctrl-C: ended by {-process.wait()}, {state()}")

process = build("./program; exec sleep 1000")
process.terminate()
print(f"SIGTERM: ended by {-process.wait()}, {state()}")

process = build("trap 'caught=1' INT; while [ -z $caught ]; do ./program; done; true")
os.killpg(process.pid, signal.SIGINT)
end = process.wait()
print(f"a command that survives Ctrl-C: ended by {end},",
      "optimized" if identity() != plain and identity()[2] == plain[2] else "not optimized")

process = build("./program; exec sleep 1000")
os.killpg(process.pid, signal.SIGKILL)
process.wait()
before = "still counting" if identity() != plain else "already back"
subprocess.run(["graupel", "build", "--", "true"], check=True, capture_output=True)
print(f"killed: {before}, then {state()}")
