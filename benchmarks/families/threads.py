# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `threads`: are the counts of threaded programs right?

The programs do the same work in one thread and in eight, so the counts of one thread are
the truth for eight. Columns: our default (each thread counts for itself) and `-atomic`.
`deviation` is the sum of all absolute differences; its ratio is to the sum of all counts
of edges and calls in the functions that the program declares `shared`.
"""

import shutil

from bench import fdata
from bench.errors import BenchError, OutputMismatch
from bench.gprofile import Profile
from bench.rows import Row
from families.variants import OURS, Variant
from programs.threads import THREADS, Threads
from programs.zstd import ZstdThreads

ABOUT = "instrumentation: counts of eight threads against one's"
PROGRAMS = [Threads.name, ZstdThreads.name]
COLUMNS = [Variant(OURS, "ours"), Variant("atomic", "ours", ["-atomic"])]


def deviation(truth, counts, shared):
    """(sum of differences, sum of counts) over the shared functions' edges and calls."""
    off = total = 0
    for kind in ("edges", "calls"):
        expected, got = getattr(truth, kind), getattr(counts, kind)
        keys = [key for key in {**expected, **got} if shared.match(key[0])]
        off += sum(abs(got.get(key, 0) - expected.get(key, 0)) for key in keys)
        total += sum(expected.get(key, 0) for key in keys)
    return off, total


class Threaded:
    """One program, instrumented in one way."""

    def __init__(self, program, variant, context):
        self.program, self.variant, self.context = program, variant, context
        self.work = context.cache.fresh_dir("threads", program.name)
        self.optimizer = context.tools["ours"]
        self.binary, self.counts = self.work / "bin" / program.name, self.work / "counts"
        self.scratch = self.work / "run" / "scratch"

    def measure(self):
        program = self.program
        baseline = program.baseline()
        program.inputs()
        self.expected = program.run(baseline, "one", self.scratch).output
        self.optimizer.optimize(baseline, self.binary, [
            "-instrument", f"-instrumentation-file={self.counts}", *self.variant.flags],
            f"instrumenting {program.name}")
        one, many = self._profile("one"), self._profile("many")
        self._check_known(one)
        off, total = deviation(one, many, program.shared)
        if not total:
            raise BenchError(f"{program.name}: nothing was counted in the shared functions")
        shutil.rmtree(self.work)
        ratio = off / total
        return Row("threads", program.name, self.variant.metric("deviation"), "count", off,
                   "one thread", total, ratio, None, None)

    def _check_known(self, profile):
        """One thread must be right in itself, or it is no measure."""
        callees, expected = getattr(self.program, "known_calls", (None, None))
        if expected is not None:
            got = sum(n for key, n in profile.calls.items() if callees.match(key[2]))
            if got != expected:
                raise BenchError(f"{self.program.name}: {got} calls instead of {expected}")

    def _profile(self, kind):
        name = f"{self.program.name} ({self.variant.name})"
        self.context.progress.step(f"{name}: {kind}")
        self.counts.unlink(missing_ok=True)
        if self.program.run(self.binary, kind, self.scratch).output != self.expected:
            raise OutputMismatch(f"{name} computes something else")
        exported = self.work / f"{kind}.fdata"
        self.optimizer.export(self.counts, exported)
        self.context.notes.append(f"{name}, {kind}: {Profile(self.counts).slots} slots of counters")
        return fdata.read(exported)


def measure(options, context):
    """All rows of the family; --rounds and --quick have no meaning here."""
    known = {cls.name: cls for cls in (Threads, ZstdThreads)}
    names = options.programs or PROGRAMS
    for name in names:
        if name not in known:
            raise BenchError(f"family threads has the programs {', '.join(known)}; not '{name}'")
    context.notes.append(f"{THREADS} threads")
    return [Threaded(known[name](context.cache, context.sources, context.progress), variant,
                     context).measure() for name in names for variant in COLUMNS], {}
