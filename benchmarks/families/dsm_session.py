# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all parts of the family `dsm` do: run, pair with a peer, collect rows."""

import subprocess

from bench import execute
from bench.errors import BenchError, OutputMismatch
from families import dsm_output
from families.dsm_build import Builder
from families.pairs import Pairs, interleaved  # noqa: F401

TIMEOUT = 600


def values(found, run, name):
    """The figure `name` that `run` printed in each round."""
    return [dsm_output.need(r[run], name) for r in found]


def require_same(program, runs):
    """All results of one program, over rounds and variants, must be equal."""
    results = sorted({run.result for run in runs})
    if len(results) != 1:
        raise OutputMismatch(f"{program.name}: results differ:\n  " + "\n  ".join(results))


class Session(Pairs):
    """Builds and runs; collects rows, and samples for means over programs."""

    def __init__(self, options, context):
        super().__init__("dsm")
        self.options, self.context = options, context
        self.builder = Builder(options.build, context.cache, context.progress)
        self.scratch = context.cache.dir("dsm", "run")

    def step(self, text):
        self.context.progress.step(text)

    def output(self, argv, what, **environment):
        """Standard output of a program that must succeed."""
        argv = [*execute.fixed_layout_prefix(), *argv]
        try:
            done = subprocess.run([str(a) for a in argv], cwd=self.scratch, text=True,
                                  env={**execute.ENVIRONMENT, **environment}, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False)
        except subprocess.TimeoutExpired as error:
            raise BenchError(f"{what} did not end within {TIMEOUT} seconds") from error
        if done.returncode != 0:
            raise BenchError(f"{what} ended with status {done.returncode}:\n"
                             f"  {(done.stdout + done.stderr)[-1500:]}")
        return done.stdout

    def figures(self, argv, what, **environment):
        return dsm_output.figures(self.output(argv, what, **environment))

    def on_nodes(self, binary, arguments, nodes, threads=1):
        return [self.builder.launcher, "dsm", "run", "-n", nodes,
                f"--threads-per-node={threads}", binary, *arguments]
