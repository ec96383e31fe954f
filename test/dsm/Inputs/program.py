# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one of benchmarks/dsm/programs and holds it to its word.

    program.py --source ROOT --work DIR [--exact] [--build DIR] [--nodes N,...] [--threads T,...]
               [--blocks B,...] PROGRAM [OPTION...]

--blocks: one size of blocks for all data (the program's --block=0 leaves it to the launcher) instead of
those that the program chooses for each array.

Without --build: without Graupel (GRAUPEL_DSM_SEQUENTIAL), with 1, 2 and 3 threads. With --build: through
its graupel-dsm.cfg, on all given numbers of nodes, of threads per node, and sizes of blocks.
`--verify` must pass, a result that was falsified (`--inject-error`) must not, and the program must
refuse an option that it does not know. With --exact all runs must print the same result as the
program without Graupel.
"""

import argparse
import itertools
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

TIMEOUT = 60


def run(argv, **environment):
    try:
        return subprocess.run([str(a) for a in argv], env={**os.environ, **environment}, text=True,
                              timeout=limit(TIMEOUT), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
    except subprocess.TimeoutExpired as error:
        text = (error.stdout or b"").decode(errors="replace")
        return subprocess.CompletedProcess(argv, None, f"{text}\ndid not end\n")


def result_line(text):
    lines = [line for line in text.splitlines() if line.startswith("result: ")]
    return lines[0] if len(lines) == 1 else None


def build(options, name, flags):
    folder = options.source / "benchmarks" / "dsm" / "programs"
    binary = options.work / f"{options.program}.{name}"
    options.work.mkdir(parents=True, exist_ok=True)
    subprocess.run(["clang", *flags, "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-O2", "-fno-math-errno", f"-I{options.source}/runtime/include",
                    f"{folder}/{options.program}.c", "-o", str(binary), "-lm", "-pthread"],
                   check=True)
    return binary


def ways(options):
    """(name, command that the program's options are appended to, environment)"""
    plain = build(options, "plain", ["-Werror", "-DGRAUPEL_DSM_SEQUENTIAL"])
    if options.build is None:
        return [(f"{t} threads", [plain], {"GRAUPEL_DSM_THREADS": str(t)}) for t in (1, 2, 3)]
    config = options.build / "share" / "graupel" / "graupel-dsm.cfg"
    launcher = options.build / "bin" / "graupel"
    binary = build(options, "checked", [f"--config={config}"])
    found = [("without Graupel", [plain], {}), ("without the launcher", [binary], {})]
    for n, t, b in itertools.product(options.nodes, options.threads, options.blocks):
        command = [launcher, "dsm", "run", "-n", n, f"--threads-per-node={t}"]
        command += [f"--block={b}", binary, "--block=0"] if b else [binary]
        found.append((f"{n} nodes, {t} threads each, blocks of {b or 'its choice'}", command, {}))
    return found


def complaints(options):
    """What is wrong with the program, one string each."""
    results = set()
    for name, command, environment in ways(options):
        good = run([*command, "--verify", *options.arguments], **environment)
        if good.returncode != 0 or "verify: ok" not in good.stdout:
            yield f"{name}: status {good.returncode}\n{good.stdout}"
        results.add(result_line(good.stdout))
    bad = run([*command, "--verify", "--inject-error", *options.arguments], **environment)
    if bad.returncode != 1 or "verify: error" not in bad.stdout:
        yield f"{name}: a wrong result was not noticed\n{bad.stdout}"
    odd = run([*command, "--no-such-option"], **environment)
    if odd.returncode != 1 or "unknown option" not in odd.stdout:
        yield f"{name}: an unknown option was not refused\n{odd.stdout}"
    if None in results:
        yield "there was a run without a result line"
    if options.exact and len(results) != 1:
        yield f"results differ: {results}"


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--nodes", type=numbers, default=[1, 2, 3])
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--blocks", type=numbers, default=[None])
    options = parser.parse_args()
    wrong = list(complaints(options))
    for text in wrong:
        print(f"{options.program}: {text}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
