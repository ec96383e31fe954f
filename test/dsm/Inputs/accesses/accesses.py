#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random raw accesses to shared memory (generate.py) against a plain memory, all block sizes.

    accesses.py --build DIR --work DIR [--seed S] [--count N] [--nodes N,...] [--blocks B,...]
                [--transports shm,tcp] [--config "FLAGS"]

Program number I is always the same: its seed is S + I, from which its operations, the level of
optimization, the processor's features (of those that this one has) and the number of nodes are
drawn. It runs with each size of blocks, which it must find in use. -fgdsm-verify looks at each.

Each failure is printed with a command that repeats it, and its files are kept; the last line is
"N passed, N failed".
"""
import argparse
import os
import random
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "tools")]
from generate import BYTES, Generator  # noqa: E402
from limits import limit  # noqa: E402

LEVELS = ["-O0", "-O1", "-O2", "-O2", "-O3", "-Os"]
CHECKS = [[], [], [], [], ["-mllvm", "-fgdsm-unaligned"]]


def features_here():
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith("flags")), "").split()
    found = [[]]
    if "cx16" in flags:
        found.append(["cx16"])
    if {"avx2", "cx16"} <= set(flags):
        found.append(["avx2", "cx16"])
    if {"avx512f", "avx512bw", "avx512vl", "avx2", "cx16"} <= set(flags):
        found.append(["avx512f", "avx512bw", "avx512vl", "avx2", "cx16"])
    return found


class Program:
    def __init__(self, options, seed):
        self.options, self.seed = options, seed
        drawn = random.Random(seed)
        self.features = drawn.choice(features_here())
        self.nodes = drawn.choice(options.nodes)
        self.flags = [drawn.choice(LEVELS), *drawn.choice(CHECKS), *(f"-m{f}" for f in self.features)]
        if options.config is not None:
            self.flags = shlex.split(options.config)
            self.features = [f[2:] for f in self.flags if f.startswith("-m") and f != "-mllvm"]
        self.folder = options.work / f"seed-{seed}"

    def command(self, argv):
        subprocess.run([str(a) for a in argv], check=True, cwd=self.folder, timeout=limit(120))

    def build(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        generator = Generator(self.seed, self.features)
        bodies, calls = generator.program(self.nodes, steps=self.options.steps, each=4)
        (self.folder / "ops.inc").write_text(bodies)
        (self.folder / "calls.inc").write_text(f"enum {{ BYTES = {BYTES} }};\n{calls}")
        root = HERE.parents[3]
        common = ["clang", "-w", "-I.", f"-I{HERE}", f"-I{root}/runtime/include"]
        checked = [*common, f"--config={self.options.build}/share/graupel/graupel-dsm.cfg",
                   "-mllvm", "-fgdsm-verify"]
        vectors = [f for f in self.flags if f.startswith("-m") and f != "-mllvm" and "fgdsm" not in f]
        # Undefined casts are only sure to work where nothing is vectorized.
        self.command([*common, "-O1", "-fno-vectorize", "-fno-slp-vectorize", *vectors,
                      "-DPREFIX=plain_", "-c", HERE / "ops.c", "-o", "plain.o"])
        self.command([*checked, *self.flags, "-g", "-DPREFIX=shared_", "-c", HERE / "ops.c", "-o", "shared.o"])
        self.command([*checked, "-O1", HERE / "driver.c", "plain.o", "shared.o", "-o", "program"])

    def run(self, block, transport):
        """What is wrong, or None."""
        argv = [str(self.options.build / "bin" / "graupel"), "dsm", "run", "-n", str(self.nodes),
                f"--block={block}", str(self.folder / "program")]
        environment = {**os.environ, **({"UCX_TLS": "tcp"} if transport == "tcp" else {})}
        try:
            done = subprocess.run(argv, env=environment, text=True, timeout=limit(60), check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            return "did not end"
        if done.returncode != 0:
            return f"status {done.returncode}: {done.stdout.strip()}"
        if f"blocks of {block}\n" not in done.stdout:
            return f"ran with other blocks than {block}: {done.stdout.strip()}"
        return None

    def shown(self):
        return (f"accesses.py --build {self.options.build} --work {self.options.work} --seed {self.seed} --count 1 "
                f"--nodes {self.nodes} --config {shlex.quote(' '.join(self.flags))}")


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--more", action="store_true",
                        help="as many as GRAUPEL_TEST_ACCESSES says instead of --count")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--nodes", type=numbers, default=[2, 2, 3])
    parser.add_argument("--blocks", type=numbers, default=[2**k for k in range(5, 13)])
    parser.add_argument("--transports", type=lambda text: text.split(","), default=["shm"])
    parser.add_argument("--config", help="flags of the compiler")
    options = parser.parse_args()
    options.work = options.work.resolve()
    if options.more:
        options.count = int(os.environ.get("GRAUPEL_TEST_ACCESSES", 0))
    passed = failed = 0
    for seed in range(options.seed, options.seed + options.count):
        program = Program(options, seed)
        wrong = []
        try:
            program.build()
            for block in options.blocks:
                for transport in options.transports:
                    if problem := program.run(block, transport):
                        wrong.append(f"blocks of {block}, {transport}: {problem}")
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            wrong.append(f"cannot be built: {error}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAILED: {program.shown()}")
            for text in wrong:
                print(f"  {text}")
        else:
            shutil.rmtree(program.folder)
        sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
