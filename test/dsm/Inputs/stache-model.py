#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks Stache's model with spin.
#
#   stache-model.py table SOURCE WORK    the code's table is the model's
#   stache-model.py check SOURCE WORK    every configuration, exhaustively; each
#                                        row of the table at work in one of them
#   stache-model.py broken SOURCE WORK   broken tables, which must be noticed
#
# SOURCE is runtime/dsm/Stache, WORK a folder for what spin writes.
# GRAUPEL_TEST_STACHE_FULL=1 adds 3 nodes x 2 blocks with all operations at once,
# 6 * 10^7 states with hash compaction (5 GB, 5 minutes).

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROW = re.compile(r"^(HOME|CACHE)\((\w+), (\w+), (\w+), (ONE|TWO)\(([^)]*)\), (\w+)\)",
                 re.M)

SAFETY = "-DSAFETY -DCOLLAPSE"
LIVELOCK = "-DNP -DCOLLAPSE -DNFAIR=5"
STARVATION = "-DCOLLAPSE -DNFAIR=5"
# name, model, verifier, run
CONFIGURATIONS = [
    ("3 nodes, 2 blocks, single accesses", "-DNODES=3 -DBLOCKS=2", SAFETY, "-w24"),
    ("3 nodes, 2 blocks, sets held", "-DNODES=3 -DBLOCKS=2 -DHOLDS -DSETS", SAFETY,
     "-w24"),
    ("3 nodes, 1 block, held or not", "-DNODES=3 -DBLOCKS=1 -DHOLDS", SAFETY, "-w22"),
    ("2 nodes of 2 threads, 1 block, held or not",
     "-DNODES=2 -DBLOCKS=1 -DTHREADS=2 -DHOLDS", SAFETY, "-w22"),
    ("4 nodes, 1 block", "-DNODES=4 -DBLOCKS=1", SAFETY, "-w22"),
    ("3 nodes, 1 block, late faults", "-DNODES=3 -DBLOCKS=1 -DLATE", SAFETY, "-w22"),
    ("2 nodes of 2 threads, 1 block, held or not, late faults",
     "-DNODES=2 -DBLOCKS=1 -DTHREADS=2 -DHOLDS -DLATE", SAFETY, "-w22"),
    ("2 nodes, 2 blocks, all accesses", "-DNODES=2 -DBLOCKS=2 -DHOLDS", SAFETY, "-w22"),
    ("2 nodes, 2 blocks, sets asked for at once", "-DNODES=2 -DBLOCKS=2 -DWIDE",
     SAFETY, "-w22"),
    ("2 nodes, 2 blocks, sets asked for at once, then held",
     "-DNODES=2 -DBLOCKS=2 -DWIDE -DHOLDS", SAFETY, "-w22"),
    ("3 nodes, 1 block, livelock", "-DNODES=3 -DBLOCKS=1 -DLIVE", LIVELOCK, "-l -f"),
    ("2 nodes of 2 threads, 1 block, livelock",
     "-DNODES=2 -DBLOCKS=1 -DTHREADS=2 -DLIVE", LIVELOCK, "-l -f"),
    ("2 nodes, 2 blocks, livelock", "-DNODES=2 -DBLOCKS=2 -DHOLDS -DLIVE", LIVELOCK,
     "-l -f"),
    ("3 nodes, 1 block, starvation", "-DNODES=3 -DBLOCKS=1 -DLIVE -DSTARVE",
     STARVATION, "-a -f"),
    ("2 nodes of 2 threads, 1 block, starvation",
     "-DNODES=2 -DBLOCKS=1 -DTHREADS=2 -DLIVE -DSTARVE", STARVATION, "-a -f"),
]
FULL = ("3 nodes, 2 blocks, all accesses held (hash compaction)",
        "-DNODES=3 -DBLOCKS=2 -DHOLDS", "-DSAFETY -DHC4 -DMEMLIM=8000",
        "-w26 -m10000000")


def command(folder, line, *more):
    done = subprocess.run(line.split() + list(more), cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def run(source, work, number, configuration, edit=lambda table: table):
    """The verifier's output; its verdict is not looked at."""
    _, model, verifier, arguments = configuration
    folder = work / str(number)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(source / "stache.pml", folder)
    table = (source / "Transitions.def").read_text()
    (folder / "Transitions.def").write_text(edit(table))
    status, output = command(folder, f"spin -a {model} stache.pml")
    if status:
        sys.exit(output)
    memory = "" if "MEMLIM" in verifier else "-DMEMLIM=2000 "
    status, output = command(folder, f"gcc -O1 -w {memory}{verifier} -o pan pan.c")
    if status:
        sys.exit(output)
    depth = "" if "-m" in arguments else "-m1500000 "
    return command(folder, f"./pan {depth}{arguments}")[1]


def is_clean(output):
    return (re.search(r"errors: 0$", output, re.M) and
            not re.search(r"max search depth too small|MEMLIM|Search not completed|"
                          r"out of memory", output))


def number_of(pattern, output):
    found = re.search(pattern, output)
    return found[1] if found else "?"


def check(source, work):
    table = (source / "Transitions.def").read_text()
    rows = {table.count("\n", 0, row.start()) + 1: row[0] for row in ROW.finditer(table)}
    covered = set()
    full = [FULL] if os.environ.get("GRAUPEL_TEST_STACHE_FULL") else []
    for number, configuration in enumerate(CONFIGURATIONS + full):
        output = run(source, work, number, configuration)
        if not is_clean(output):
            sys.exit(f"{configuration[0]}:\n{output}")
        covered.update(map(int, re.search(r"covered lines:(.*)", output)[1].split()))
        states = number_of(r"(\S+) states, stored", output)
        memory = number_of(r"(\S+)\s+total actual memory usage", output)
        seconds = number_of(r"elapsed time (\S+)", output)
        print(f"{configuration[0]}: {states} states, {memory} MB, {seconds} s",
              flush=True)
    missing = [text for line, text in rows.items() if line not in covered]
    if missing or not rows:
        sys.exit("never at work in the model:\n" + "\n".join(missing))
    print(f"{len(rows)} rows, all at work")


def compare(source, work):
    work.mkdir(parents=True, exist_ok=True)
    _, text = command(source, "gcc -E -P -x c -DTABLE stache.pml")
    rows = set()
    for machine, state, event in (("home", r"hState\[b\] == H_(\w+)", r"e == HE_(\w+)"),
                                  ("cache", r"cState\[[^\]]*\] == C_(\w+)",
                                   r"e == CE_(\w+)")):
        after = (r"next = H_(\w+)" if machine == "home"
                 else r"cState\[[^\]]*\] = C_(\w+)")
        for row in re.finditer(
                rf":: {state} && {event} && \(G_(\w+)\) -> {after}; "
                r"todo = A_(\w+); then = A_(\w+);", text):
            name, what, guard, last, first, second = row.groups()
            second = "None" if second == "none" else second
            rows.add(f"{machine} {name} {what} {guard} {first} {second} {last}")
    code = set(subprocess.run(["stache-table"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.split("\n")) - {""}
    for row in sorted(code ^ rows):
        print("only in the", "code:" if row in code else "model:", row)
    if code != rows or len(rows) < 50:
        sys.exit(f"{len(code)} rows in the code, {len(rows)} in the model")
    print(f"{len(rows)} rows, the same")


def broken(source, work):
    """Each table is broken in one row; some configuration has to notice."""
    held, _, four = CONFIGURATIONS[2:5]
    starvation = CONFIGURATIONS[-1]
    edits = [
        ("a lost copy is not noticed by its upgrade", held,
         "HOME(Shared, Upgrade, Stranger, ONE(RecallSharers), SharersToRemote)",
         "HOME(Shared, Upgrade, Stranger, ONE(RecallSharers), SharersToUpgrade)"),
        ("given before all have acknowledged", four,
         "HOME(SharersToRemote, Ack, More, ONE(DropSharer), SharersToRemote)",
         "HOME(SharersToRemote, Ack, More, ONE(Give), Remote)"),
        ("a deferred request is dropped", four,
         "HOME(OwnerToRemote, GetRO, Always, ONE(Defer), OwnerToRemote)",
         "HOME(OwnerToRemote, GetRO, Always, ONE(Wait), OwnerToRemote)"),
        ("what is held is taken", held,
         "CACHE(ReadWrite, InvalidateRW, Held, ONE(Hold), ReadWrite)",
         "CACHE(ReadWrite, InvalidateRW, Held, ONE(GiveBack), Invalid)"),
        ("an owner that is only read takes more", four,
         "CACHE(ReadWrite, Downgrade, Free, ONE(ShareBack), ReadOnly)",
         "CACHE(ReadWrite, Downgrade, Free, ONE(ShareBack), ReadWrite)"),
        ("home waits behind those that wait for it", held,
         "HOME(OwnerToShared, WriteBack, Always, TWO(RelayShared, Resume), Shared)",
         "HOME(OwnerToShared, WriteBack, Always, ONE(RelayShared), Shared)"),
        ("a store of a node with readers comes too late", starvation,
         "CACHE(Reading, Store, Always, ONE(Join), ReadingToWrite)",
         "CACHE(Reading, Store, Always, ONE(Join), Reading)"),
    ]
    for number, (name, configuration, old, new) in enumerate(edits):
        def edit(table):
            if table.count(old) != 1:
                sys.exit(f"{name}: the table has no row {old}")
            return table.replace(old, new)
        output = run(source, work, f"broken{number}", configuration, edit)
        found = re.search(r"^pan:1: (.*)", output, re.M)
        if not found:
            sys.exit(f"{name}: not noticed\n{output}")
        print(f"{name}: {found[1]}", flush=True)


def main():
    what, source, work = sys.argv[1:]
    source, work = pathlib.Path(source).resolve(), pathlib.Path(work).resolve()
    {"table": compare, "check": check, "broken": broken}[what](source, work)


main()
