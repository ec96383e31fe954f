#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""launcher.py CHECK...: what `graupel dsm run` does over time. Each check is a
function below; what it prints says what it found right."""

import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

MARK = f"GRAUPEL_TEST_MARK={os.getpid()}"


def processes():
    """Of the jobs of this test, but this one."""
    found = {}
    for pid in os.listdir("/proc"):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ:
                if MARK.encode() not in environ.read():
                    continue
            with open(f"/proc/{pid}/stat") as stat:
                found[int(pid)] = stat.read().rpartition(")")[2].split()[0]
        except OSError:
            pass
    return {pid: state for pid, state in found.items() if state not in "ZX"}


def start(*command, nodes=3, **more):
    name, _, value = MARK.partition("=")
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen(["graupel", "dsm", "run", "-n", str(nodes), *command],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, **{name: value}), **more)


def wait_for(condition, what, seconds=5):
    start = time.monotonic()
    while not condition():
        if time.monotonic() > start + limit(seconds):
            sys.exit(f"after {limit(seconds):.0f} s it is not true that {what}")
        time.sleep(0.01)


def await_ready(job, nodes=3):
    for _ in range(nodes):
        assert "is ready" in job.stdout.readline()


def ended(job, status, within):
    _, errors = job.communicate(timeout=limit(within))
    assert job.returncode == status, (job.returncode, errors)
    wait_for(lambda: not processes(), "all processes are gone", 1)
    return errors


def signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        job = start("dsm-transport-test", "hang")
        await_ready(job)
        job.send_signal(number)
        assert ended(job, 128 + number, 5) == ""
    print("signals to the launcher end the job")


def stubborn():
    job = start("dsm-transport-test", "ignore-sigterm")
    await_ready(job)
    job.send_signal(signal.SIGTERM)
    ended(job, 128 + signal.SIGTERM, 5)
    print("nodes that ignore SIGTERM are killed")


def launcher_killed():
    # Also when nodes are not its children but theirs.
    for command in (["dsm-transport-test", "hang"],
                    ["sh", "-c", "dsm-transport-test hang; echo never"]):
        job = start(*command)
        await_ready(job)
        assert len(processes()) >= 4
        job.kill()
        job.wait()
        wait_for(lambda: not processes(), "all processes are gone")
        job.communicate()
    print("nothing survives the launcher")


def orphans():
    job = start("sh", "-c", "sleep 1000 & dsm-transport-test kill; exit 9")
    errors = ended(job, 9, 5)
    assert "exited with status 9 before the end of the job" in errors, errors
    print("what nodes have started ends with them")


def stop():
    # As a shell starts it: in a process group that somebody can continue.
    job = start("dsm-transport-test", "hang", process_group=0)
    await_ready(job)
    for _ in range(5):
        job.send_signal(signal.SIGTSTP)
        wait_for(lambda: set(processes().values()) == {"T"}, "all are stopped")
        job.send_signal(signal.SIGCONT)
        wait_for(lambda: "T" not in processes().values(), "all go on")
    job.send_signal(signal.SIGTERM)
    ended(job, 128 + signal.SIGTERM, 5)
    print("jobs can be stopped")


def stop_alone():
    """Where nobody could continue them, programs do not stop, and so does the job."""
    job = start("dsm-transport-test", "hang", start_new_session=True)
    await_ready(job)
    job.send_signal(signal.SIGTSTP)
    time.sleep(0.3)
    assert "T" not in processes().values(), processes()
    job.send_signal(signal.SIGTERM)
    ended(job, 128 + signal.SIGTERM, 5)
    print("jobs that nobody could continue do not stop")


def stopped_node():
    """A node that is stopped is ended like the others."""
    job = start("dsm-transport-test", "hang")
    await_ready(job)
    nodes = sorted(set(processes()) - {job.pid})
    os.kill(nodes[1], signal.SIGSTOP)
    os.kill(nodes[0], signal.SIGKILL)
    errors = ended(job, 128 + signal.SIGKILL, 5)
    assert f"(process {nodes[0]} on " in errors, errors
    print("stopped nodes end")


def closed_output():
    job = start("yes")
    for _ in range(1000):
        assert job.stdout.readline() == "y\n"
    job.stdout.close()
    job.wait(timeout=limit(5))
    assert job.returncode == 128 + signal.SIGPIPE, job.returncode
    wait_for(lambda: not processes(), "all processes are gone", 1)
    print("a job whose output nobody reads ends")


def slow_reader():
    """The launcher watches over its nodes while nobody reads what they print."""
    job = start("sh", "-c", "yes & exec dsm-transport-test hang")
    # On each node the shell's yes, and the program.
    wait_for(lambda: len(set(processes()) - {job.pid}) >= 6, "all nodes run")
    time.sleep(0.3)  # Time for pipes to fill; nothing depends on it.
    job.send_signal(signal.SIGTERM)
    wait_for(lambda: set(processes()) <= {job.pid}, "all nodes are gone")
    output, _ = job.communicate(timeout=limit(5))
    assert job.returncode == 128 + signal.SIGTERM
    assert all(line == "y" or re.fullmatch(r"node \d is ready", line)
               for line in output.splitlines())
    print("a slow reader keeps no node alive")


def whole_lines():
    """Nodes write pieces of lines at the same time; the last line has no end."""
    piece = ("import os, random, sys\n"
             "node = os.environ['GRAUPEL_DSM_LAUNCHER'].split(',')[2]\n"
             "text = ''.join(f'{node} {i} ' + 'x' * (i * 37 % 3000) + '\\n'"
             " for i in range(300)) + f'{node} end'\n"
             "while text:\n"
             "    n = random.randint(1, 2000)\n"
             "    os.write(random.choice([1, 1, 1]), text[:n].encode())\n"
             "    text = text[n:]\n")
    job = start(sys.executable, "-c", piece, nodes=4)
    output, errors = job.communicate(timeout=limit(30))
    assert job.returncode == 0 and errors == "", errors
    lines = {str(node): [] for node in range(4)}
    for line in output.split("\n")[:-1]:
        lines[line[0]].append(line)
    assert output.endswith("\n")
    for node in lines:
        assert lines[node] == [f"{node} {i} " + "x" * (i * 37 % 3000)
                               for i in range(300)] + [f"{node} end"]
    print("lines are whole")


def standard_input():
    job = start("cat", stdin=subprocess.PIPE)
    output, _ = job.communicate("to node 0\n", timeout=limit(5))
    assert output == "to node 0\n", output
    print("node 0 gets the input")


try:
    for check in sys.argv[1:]:
        globals()[check]()
finally:
    # A check that failed leaves nothing behind either.
    for pid in processes():
        os.kill(pid, signal.SIGKILL)
