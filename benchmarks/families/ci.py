# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `ci`: the figures a continuous-integration machine can hold a change to.

Only what does not depend on how busy the machine is, and from every part of Graupel. Small
inputs; compare.py judges the result against baseline/ci.json.

 1. layout and hot-cold optimization: executed instructions, I-cache misses, output size, and the
    optimizer's peak memory (run without threads, whose scheduling would move it);
 2. instrumentation: what instrumented programs execute, and their size;
 3. distributed shared memory: instructions of checks, and code size, of the nine programs;
 4. recorded memory accesses: references and misses of the case studies;
 5. placement: the share of remote accesses, counted exactly;
 6. profiles of older builds: how much of them can be used.

--programs chooses among the programs of 1, and leaves the others out.
"""

import argparse
from dataclasses import dataclass

from families import dsm, dsm_build, instrument, numa, persistence, stride, variants
from families.experiment import Experiment
import programs

ABOUT = "deterministic figures of small inputs, for compare.py against baseline/ci.json"
PROGRAMS = ["sqlite", "lua", "zstd", "yaml", "tcc", "expat"]
METRICS = ("instructions", "icache_misses", "output_size", "optimizer_peak_memory")


@dataclass
class Part:
    """What comes from another family."""
    family: object
    programs: list
    metrics: tuple      # how those names begin that are kept


PARTS = [
    Part(instrument, ["sqlite", "zstd", "yaml"], ("instructions", "code_size")),
    Part(dsm, list(dsm_build.PROGRAMS), ("check instructions", "code size")),
    Part(stride, ["spmv", "neighbor", "counters"], ("references", "misses")),
    Part(numa, ["trap", "ocean"], ("remote accesses",)),
    Part(persistence, ["lua", "sqlite", "zstd"], ("survival",)),
]


def measure_part(part, options, context):
    chosen = argparse.Namespace(**{**vars(options), "programs": part.programs, "quick": True,
                                   "counts_only": True})
    rows, _ = part.family.measure(chosen, context)
    return [row for row in rows if row.metric.startswith(part.metrics)]


def measure(options, context):
    """All rows; --rounds and --quick have no meaning here."""
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    columns = [v for v in variants.peers() if v.name != variants.CONTROL]
    columns += variants.ours(stand_in, components=False) + [variants.default(stand_in)]
    rows = []
    for cls in programs.select(options.programs, PROGRAMS):
        program = cls(context.cache, context.sources, context.progress)
        experiment = Experiment(program, columns, context.tools, context.cache, context.progress,
                                optimizer_flags=["-no-threads"])
        experiment.prepare()
        experiment.count()
        rows += [r for r in experiment.rows("ci") if r.metric.startswith(METRICS)]
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    if not options.programs and not stand_in:
        for part in PARTS:
            rows += measure_part(part, options, context)
    return rows, {}
