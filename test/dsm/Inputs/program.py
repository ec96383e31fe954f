# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one of benchmarks/dsm/programs and holds it to its word.

    program.py --source ROOT --work DIR [--exact] PROGRAM

Without Graupel (GRAUPEL_DSM_SEQUENTIAL), with 1, 2 and 3 threads: `--verify` must pass,
a result that was falsified (`--inject-error`) must not, and the program must refuse an
option that it does not know. With --exact all runs must print the same result.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path


def run(argv, threads):
    environment = dict(os.environ, GRAUPEL_DSM_THREADS=str(threads))
    return subprocess.run([str(a) for a in argv], env=environment, text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def result_line(text):
    lines = [line for line in text.splitlines() if line.startswith("result: ")]
    return lines[0] if len(lines) == 1 else None


def build(options):
    folder = options.source / "benchmarks" / "dsm" / "programs"
    binary = options.work / options.program
    options.work.mkdir(parents=True, exist_ok=True)
    subprocess.run(["clang", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2",
                    "-fno-math-errno", "-DGRAUPEL_DSM_SEQUENTIAL",
                    f"-I{options.source}/runtime/include", f"{folder}/{options.program}.c",
                    "-o", str(binary), "-lm", "-pthread"], check=True)
    return binary


def complaints(binary, exact):
    """What is wrong with the program, one string each."""
    results = set()
    for threads in (1, 2, 3):
        good = run([binary, "--verify"], threads)
        if good.returncode != 0 or "verify: ok" not in good.stdout:
            yield f"{threads} threads: status {good.returncode}\n{good.stdout}"
        results.add(result_line(good.stdout))
        bad = run([binary, "--verify", "--inject-error"], threads)
        if bad.returncode != 1 or "verify: error" not in bad.stdout:
            yield f"{threads} threads: a wrong result was not noticed\n{bad.stdout}"
    if None in results:
        yield "there was no result line"
    if exact and len(results) != 1:
        yield f"results depend on the number of threads: {results}"
    odd = run([binary, "--no-such-option"], 1)
    if odd.returncode != 1 or "unknown option" not in odd.stdout:
        yield f"an unknown option was not refused\n{odd.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args()
    wrong = list(complaints(build(options), options.exact))
    for text in wrong:
        print(f"{options.program}: {text}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
