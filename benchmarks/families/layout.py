# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `layout`: does the profile-guided layout beat the linker's, and llvm-bolt's?

Columns: the baseline, its copy (A/A control), llvm-bolt with its best flags, our
default layout, the complete Spike layout and Spike's components alone.
"""

from families import variants
from families.experiment import Experiment, combined_times
import programs

ABOUT = "code layout: time, instructions, I-cache misses, size and optimizer cost"
PROGRAMS = ["sqlite", "lua", "zstd", "perl", "redis", "minicc"]
QUICK_PROGRAMS = ["sqlite", "lua", "zstd"]
ROUNDS, QUICK_ROUNDS = 15, 6


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    default = QUICK_PROGRAMS if options.quick else PROGRAMS
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    columns = variants.peers() + variants.ours(stand_in)
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    rows, experiments = [], []
    for cls in programs.select(options.programs, default):
        program = cls(context.cache, context.sources, context.progress)
        experiment = Experiment(program, columns, context.tools, context.cache, context.progress)
        experiment.prepare()
        if not options.counts_only:
            experiment.time("quick" if options.quick else "reference", rounds)
            experiment.time_optimizers()
        experiment.count()
        rows += experiment.rows("layout")
        experiments.append(experiment)
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    if options.counts_only:
        rows = [r for r in rows if not r.metric.startswith(("user_time", "optimizer_time"))]
    return rows, combined_times(experiments)
