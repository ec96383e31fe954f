# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends signals to `graupel learn`, and says what its command makes of them."""
import signal
import subprocess

COMMAND = """
import os, signal, sys
def end(number, frame):
    os.write(1, b"got %d" % number)
    os._exit(5)
signal.signal(int(sys.argv[1]), end)
print("ready", flush=True)
signal.pause()
"""

for name in ("INT", "QUIT", "WINCH", "TERM", "USR1"):
    number = getattr(signal, "SIG" + name)
    learn = subprocess.Popen(
        ["graupel", "learn", "--name=signals", "--", "python3", "-c", COMMAND, str(int(number))],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    learn.stdout.readline()
    learn.send_signal(number)
    said = learn.communicate()[0]
    print(f"{name}: {said}, status {learn.returncode}")
