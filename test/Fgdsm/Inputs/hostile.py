#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with checks under tiny-runtime.c against the same without.

usage: hostile.py --passes=SO --source=DIR [--work=DIR] PROGRAM...
       hostile.py --passes=SO --source=DIR --csmith=N [--first=SEED]

Each program is compiled at several levels, with -fgdsm-verify, and run with
memory that is taken away at each handshake point; its output must be that of the
program without checks. With --csmith programs are random and all their globals are
shared. GRAUPEL_TEST_HOSTILE=N takes the place of --csmith's number.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from limits import limit, of_processor_time  # noqa: E402

LEVELS = ["-O0", "-O1", "-O2", "-O3 -march=native"]
RUNS = [("calm", 32), ("hostile", 32), ("hostile", 128), ("hostile", 4096),
        ("random", 32), ("random", 1024)]


class Failure(Exception):
    pass


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, **options)


def must(command):
    done = run(command)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}\n{done.stderr.decode()[-2000:]}")
    return done


class Bench:
    def __init__(self, options, work):
        self.passes, self.work = options.passes, work
        self.source = pathlib.Path(options.source)
        self.include = f"-I{self.source}/runtime/include"
        self.tiny = work / "tiny.o"
        must(["clang", "-O2", "-mgeneral-regs-only", "-fno-builtin", self.include, "-c",
              self.source / "test/Fgdsm/Inputs/tiny-runtime.c", "-o", self.tiny])
        self.objects = [self.tiny]
        # All wrappers but those that ask the node for its memory and its threads.
        wrappers = self.source / "runtime/dsm/Wrappers"
        node = {wrappers / "Descriptors.cpp", wrappers / "Futexes.cpp",
                wrappers / "Starting.cpp", wrappers / "Threads.cpp", *wrappers.glob("Blocking*.cpp")}
        for name in (*sorted(set(wrappers.glob("*.cpp")) - node),
                     self.source / "test/Fgdsm/Inputs/tiny-wrappers.cpp"):
            self.objects.append(work / name.with_suffix(".o").name)
            must(["clang++", "-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", self.include,
                  f"-I{self.source}/runtime/dsm", "-c", name, "-o", self.objects[-1]])

    def build(self, program, level, *more):
        compiler = "clang++" if program.suffix == ".cpp" else "clang"
        output = self.work / "program"
        must([compiler, *level.split(), "-w", "-no-pie", self.include, "-I/usr/include/csmith", *more,
              program, *self.objects, "-lm", "-o", output])
        return output

    def checked(self, program, level, *more):
        return self.build(program, level, f"-fpass-plugin={self.passes}", "-mllvm",
                          "-fgdsm-verify", *more)

    @staticmethod
    def execute(program, mode, block, seed, seconds):
        environment = dict(os.environ, GDSM_TINY=mode, GDSM_TINY_BLOCK=str(block),
                           GDSM_TINY_SEED=str(seed))
        """None if it takes longer."""
        try:
            done = run([program], env=environment, timeout=limit(seconds),
                       preexec_fn=of_processor_time(seconds))
        except subprocess.TimeoutExpired:
            return None
        return None if done.returncode == -signal.SIGXCPU else done

    def compare(self, program, level, seed, *more, seconds=300):
        """False if the program itself does not end in time."""
        expected = self.execute(self.build(program, level), "calm", 32, seed, 3)
        if not expected or expected.returncode:
            return False
        checked = self.checked(program, level, *more)
        for mode, block in RUNS:
            where = f"{program.name} {level} GDSM_TINY={mode} GDSM_TINY_BLOCK={block} GDSM_TINY_SEED={seed}"
            got = self.execute(checked, mode, block, seed, seconds)
            if not got:
                print(f"{where}: too slow, left out")
                continue
            if got.stdout != expected.stdout or got.returncode:
                raise Failure(f"{where}: exit code {got.returncode}, {got.stderr.decode()[:500]}")
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--csmith", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        bench = Bench(options, work)
        for program in options.programs:
            for level in LEVELS:
                if not bench.compare(program, level, 1):
                    raise Failure(f"{program} does not run without checks")
        done = 0
        count = int(os.environ.get("GRAUPEL_TEST_HOSTILE", options.csmith or 0))
        for seed in range(options.first, options.first + count if options.csmith else 0):
            program = work / f"csmith-{seed}.c"
            must(["csmith", "--seed", seed, "--max-funcs", 6, "-o", program])
            level = LEVELS[seed % len(LEVELS)]
            done += bench.compare(program, level, seed, "-mllvm", "-fgdsm-share-globals", seconds=30)
        if options.csmith and not done:
            raise Failure("no random program ended in time")


try:
    main()
except Failure as failure:
    sys.exit(str(failure))
