# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who has no cookie has little time at the manager page, and jobs have nothing of it."""

import http.client
import os
import socket
import subprocess
import sys
import time

from ui_server import Manager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)


def says(s):
    try:
        s.sendall(b"G")
        return True
    except OSError:
        return False


with Manager() as m:
    m.enter()
    slow = [socket.create_connection(("127.0.0.1", int(m.port)), 5) for _ in range(600)]
    end, longest = time.monotonic() + limit(30), 0
    while slow and time.monotonic() < end:
        slow = [s for s in slow if says(s)]
        begin = time.monotonic()
        if m.ask(m.folder + "jobs", Cookie=m.cookie)[0] != 200:
            sys.exit("slow connections: no answer")
        longest = max(longest, time.monotonic() - begin)
        time.sleep(0.5)
    print("600 slow connections:", f"{len(slow)} stay" if slow else "none stays")
    print("the page:", "answers" if longest < limit(2) else f"waits for {longest} s")

    # One that knows the page may take its time between requests.
    own = http.client.HTTPConnection(m.host, timeout=30)
    own.connect()
    own.auto_open = 0  # It would connect again.
    for _ in range(12):
        own.request("GET", m.folder + "jobs", headers={"Cookie": m.cookie})
        answer = own.getresponse()
        if answer.status != 200 or not answer.read():
            sys.exit("the page's own connection: no answer")
        time.sleep(0.5)
    own.close()
    print("one with the cookie: stays")

# As if the server had it open.
with socket.socket() as s:
    job = subprocess.Popen(["graupel-ui", "job"], pass_fds=[s.fileno()], stdin=subprocess.PIPE,
                           stdout=subprocess.DEVNULL)
    end = time.monotonic() + limit(30)
    inherited = f"/proc/{job.pid}/fd/{s.fileno()}"
    while os.path.lexists(inherited) and time.monotonic() < end:
        time.sleep(0.01)
    print("a job has the server's sockets:", os.path.lexists(inherited))
    job.kill()
    job.wait()
