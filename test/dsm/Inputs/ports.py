#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of benchmarks/dsm/ports compute on several nodes what they compute without Graupel.

ports.py BUILD SOURCE_FOLDER WORK: says "NAME: right" for each.
"""
import subprocess
import sys
from pathlib import Path

build, ports, work = (Path(a) for a in sys.argv[1:4])
include = ports.parent.parent.parent / "runtime" / "include"
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O3", "-fno-math-errno", f"-I{include}"]


def result(argv):
    run = subprocess.run([str(a) for a in argv], capture_output=True, text=True)
    lines = [line for line in run.stdout.splitlines() if line.startswith("result: ")]
    if run.returncode or len(lines) != 1:
        sys.exit(f"{argv}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return lines[0]


work.mkdir(parents=True, exist_ok=True)
for source in sorted(ports.glob("*.c")):
    plain, shared = work / f"{source.stem}.plain", work / source.stem
    subprocess.run(["clang", "-DGRAUPEL_DSM_SEQUENTIAL", *FLAGS, source, "-o", plain, "-lm", "-pthread"],
                   check=True)
    subprocess.run(["clang", f"--config={build}/share/graupel/graupel-dsm.cfg", "-mllvm", "-fgdsm-verify",
                    *FLAGS, source, "-o", shared, "-lm"], check=True)
    want = result([plain, "--size=small"])
    for nodes, threads, block in ((2, 1, 128), (3, 1, 1024), (2, 2, 64)):
        got = result([build / "bin" / "graupel", "dsm", "run", "-n", nodes, f"--threads-per-node={threads}",
                      f"--block={block}", shared, "--size=small"])
        if got != want:
            sys.exit(f"{source.stem} on {nodes} nodes of {threads} threads, blocks of {block}: {got}, not {want}")
    print(f"{source.stem}: right")
