#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each way to touch shared memory without checks on two nodes with --check-missed: the
access is told with its line, and served, so the result is right.

usage: missed.py PROGRAM LIST [PLUGIN]
A line of LIST: a way, the function, and what the line of the access contains. With PLUGIN it
is a list of ways.py, of which the refused ways are run: the call is told.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 4)[0] + "/tools")
from limits import limit  # noqa: E402

HERE = pathlib.Path(__file__).parent
TOLD = re.compile(r"^graupel dsm: missed: node 1: (\S+) at (\S+):(\d+) (.*)$", re.M)


def run(program, way, *rest):
    return subprocess.run(["graupel", "dsm", "run", "-n", "2", "--check-missed", program, way,
                           *rest], capture_output=True, text=True, timeout=limit(60))


def names_line(told, text):
    _, file, line, _ = told
    return text in (HERE / pathlib.Path(file).name).read_text().splitlines()[int(line) - 1]


def access(program, way, function, text):
    stores = re.search("writ|store|clear", way) is not None
    done = run(program, way, *["writes"] * stores)
    told = TOLD.findall(done.stderr)
    return (done.returncode == 0 and f"{way}: 64" in done.stdout and len(told) > 0
            and all(names_line(t, text) for t in told)
            and "1 places miss checks" in done.stderr), done


def call(program, way, plugin):
    done = run(program, way, plugin)
    told = TOLD.findall(done.stderr)
    return (done.returncode == 0 and f"{way}: 64" in done.stdout
            and any("passes shared memory" in t[3] for t in told)), done


def main():
    program, names, *plugin = sys.argv[1:]
    # The kernel's and the library's, which could not be served.
    never = re.compile("'(syscall|ioctl|mmap|_setjmp|sigaction|wprintf)'")
    wrong = ways = 0
    for line in open(names):
        if line.startswith("#") or not line.strip():
            continue
        way, fate, *rest = line.strip().split(maxsplit=2)
        if plugin and (fate not in ("refused", "assembly") or never.search(line)):
            continue
        ways += 1
        well, done = call(program, way, *plugin) if plugin else access(program, way, fate, rest[0])
        if not well:
            wrong += 1
            print(f"{way}: status {done.returncode}", done.stdout, done.stderr, sep="\n")
    print(f"{ways} ways, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
