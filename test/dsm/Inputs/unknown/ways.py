#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each way to touch shared memory without checks on two nodes: it must be refused with
file, line and callee, or do what it does on ordinary memory.

usage: ways.py PROGRAM PLUGIN LIST [WAY...]
A line of LIST: a way, then `right`, or `refused` and the callee's name, `error` and its message,
`noted` and that, or `assembly`.
"""

import re
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 4)[0] + "/tools")
from limits import limit  # noqa: E402


def check(program, plugin, way, fate, callee):
    done = subprocess.run(["graupel", "dsm", "run", "-n", "2", program, way, plugin],
                          capture_output=True, text=True, timeout=limit(60))
    # Each run tells of functions without checks.
    said = "\n".join(line for line in done.stderr.strip().splitlines()
                     if not line.startswith("graupel dsm: note: compiled without checks: "))
    if fate == "right":
        return done.returncode == 0 and f"{way}: 64" in done.stdout and not said, done
    if fate == "noted":
        return (done.returncode == 0 and f"{way}: 64" in done.stdout and said.count("\n") == 0
                and re.match("graupel dsm: note: node 1: .*" + callee, said)), done
    if fate == "pattern":
        return done.returncode not in (0, 1) and "it comes from 0x7ffbadc0" in said, done
    place = r"^graupel dsm: error: node [01] .*\.(c|cpp|h):[1-9]\d*: .*"
    wanted = {"refused": place + r"passes shared memory \(0x[0-9a-f]+\) to (?:" + callee + ")",
              "error": r"^graupel dsm: error: node [01] .*" + callee,
              "assembly": place + r"gives inline assembly shared memory"}[fate]
    # One message, of one node.
    return (done.returncode == 1 and said.count("graupel dsm: error:") == 1
            and re.search(wanted, said) and way + ":" not in done.stdout), done


def main():
    program, plugin, names, *some = sys.argv[1:]
    wrong = ways = 0
    for line in open(names):
        if line.startswith("#") or not line.strip():
            continue
        way, fate, *callee = line.split(maxsplit=2)
        if some and way not in some:
            continue
        ways += 1
        well, done = check(program, plugin, way, fate, "".join(callee).strip())
        if not well:
            wrong += 1
            print(f"{way}: not {fate}; status {done.returncode}", done.stdout, done.stderr, sep="\n")
    print(f"{ways} ways, {wrong} wrong")
    return wrong != 0 or (bool(some) and ways != len(some))


if __name__ == "__main__":
    sys.exit(main())
