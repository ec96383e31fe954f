# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `ci`: the figures a continuous-integration machine can hold a change to.

Only what does not depend on how busy the machine is, and from every part of Graupel. Small
inputs; compare.py judges the result against baseline/ci.json.

 1. layout and hot-cold optimization: executed instructions, I-cache misses, output size, and the
    optimizer's peak memory (run without threads, whose scheduling would move it);
 2. instrumentation: what instrumented programs execute, and their size;
 3. distributed shared memory: instructions of checks of the nine programs and of seven ports, code
    size of the nine;
 4. recorded memory accesses: references and misses of the case studies;
 5. placement: the share of remote accesses, counted exactly;
 6. profiles of older builds: how much of them can be used.

--programs chooses among the programs of 1, and leaves the others out. One process for each
processor measures the programs of 1, then the other parts.
"""

import argparse
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
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


# Those of one list use the same folders, so one process measures them.
PARTS = [
    [Part(instrument, ["sqlite", "zstd", "yaml"], ("instructions", "code_size")),
     Part(persistence, ["lua", "sqlite", "zstd"], ("survival",))],
    [Part(dsm, [*dsm_build.PROGRAMS, *dsm_build.PORTS], ("check instructions", "code size"))],
    [Part(stride, ["spmv", "neighbor", "counters"], ("references", "misses"))],
    [Part(numa, ["trap", "ocean"], ("remote accesses",))],
]


def measure_program(cls, options, context):
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    columns = [v for v in variants.peers() if v.name != variants.CONTROL]
    columns += variants.ours(stand_in, components=False) + [variants.default(stand_in)]
    program = cls(context.cache, context.sources, context.progress)
    experiment = Experiment(program, columns, context.tools, context.cache, context.progress,
                            optimizer_flags=["-no-threads"])
    experiment.prepare()
    experiment.count()
    rows = [r for r in experiment.rows("ci") if r.metric.startswith(METRICS)]
    context.notes += experiment.notes
    if not options.keep:
        experiment.discard()
    return rows


def measure_parts(parts, options, context):
    found = []
    for part in parts:
        chosen = argparse.Namespace(**{**vars(options), "programs": part.programs, "quick": True,
                                       "counts_only": True})
        rows, _ = part.family.measure(chosen, context)
        found += [row for row in rows if row.metric.startswith(part.metrics)]
    return found


def measure_one(index):
    """In a process of its own: rows, and what the context has got."""
    action, what, options, context = Work[index]
    return action(what, options, context), context.notes, context.report


def measure_all(action, things, options, context):
    """The rows of all things, in their order, from as many processes as there are processors."""
    Work[:] = [(action, thing, options, context) for thing in things]
    # Forked, so that what is measured need not be sent; no thread is running yet.
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)),
                             multiprocessing.get_context("fork")) as pool:
        results = list(pool.map(measure_one, range(len(things))))
    rows = []
    for found, notes, report in results:
        rows += found
        context.notes += [note for note in notes if note not in context.notes]
        context.report += [part for part in report if part not in context.report]
    return rows


Work = []       # What the processes find when they are forked.


def measure(options, context):
    """All rows; --rounds and --quick have no meaning here."""
    chosen = programs.select(options.programs, PROGRAMS)
    rows = measure_all(measure_program, chosen, options, context)
    if not options.programs and not variants.is_stand_in(context.tools["ours"].path):
        rows += measure_all(measure_parts, PARTS, options, context)
    return rows, {}
