# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `ci`: the figures a continuous-integration machine can hold a change to.

Only what does not depend on how busy the machine is: executed instructions,
I-cache misses, output size, and the optimizer's peak memory (run without threads,
whose scheduling would move it). Small inputs; compare.py judges the result against
baseline/ci.json.
"""

from families import variants
from families.experiment import Experiment
import programs

ABOUT = "deterministic figures of small inputs, for compare.py against baseline/ci.json"
PROGRAMS = ["sqlite", "lua", "zstd"]
METRICS = ("instructions", "icache_misses", "output_size", "optimizer_peak_memory")


def measure(options, context):
    """All rows of the family; --rounds and --quick have no meaning here."""
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
    return rows, {}
