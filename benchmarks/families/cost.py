# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `cost`: how long does the optimizer take, and how much memory?

Columns: llvm-bolt with its best flags for layout, and with whatever shortens its paths, too; ours
without and with hot-cold optimization, the default. Runs are interleaved; the first of each only
warms up. `optimizer_time` is of the wall, with as many threads as there are processors.
"""

from bench.stats import geometric_mean
from bench.table import grid
from families import variants
from families.experiment import Experiment, combined
from families.variants import HCO, LLVM_BOLT, LLVM_BOLT_PATHS, OURS
import programs

ABOUT = "what the optimizer itself costs: time and memory"
PROGRAMS = ["sqlite", "lua", "zstd", "duktape", "yaml", "tcc", "expat", "leveldb", "troff", "perl"]
QUICK_PROGRAMS = ["sqlite", "lua", "zstd"]
ROUNDS, QUICK_ROUNDS = 8, 4
PEERS = (LLVM_BOLT, LLVM_BOLT_PATHS, OURS)
METRICS = ("optimizer_time", "optimizer_peak_memory")
# Of the table: title, metric, peer.
COLUMNS = {"time / llvm-bolt, layout": (f"optimizer_time[{HCO}]", LLVM_BOLT),
           "time / llvm-bolt, all": (f"optimizer_time[{HCO}]", LLVM_BOLT_PATHS),
           "time / without -hco": (f"optimizer_time[{HCO}]", OURS),
           "without -hco / llvm-bolt, layout": ("optimizer_time", LLVM_BOLT),
           "memory / llvm-bolt, layout": (f"optimizer_peak_memory[{HCO}]", LLVM_BOLT)}


def published(rows):
    """A line for each program, and one of geometric means."""
    found = {(row.program, row.metric, row.peer): row for row in rows}
    names = list(dict.fromkeys(row.program for row in rows))

    def seconds(name):
        return f"{found[name, f'optimizer_time[{HCO}]', LLVM_BOLT].value:.2f}"

    body = [[name, seconds(name), *(f"{found[name, *key].ratio:.2f}" for key in COLUMNS.values())]
            for name in names]
    means = [geometric_mean([found[name, *key].ratio for name in names])
             for key in COLUMNS.values()]
    body.append(["**geometric mean**", "", *(f"**{mean:.2f}**" for mean in means)])
    return ["\n".join(grid(["program", "seconds", *COLUMNS], body,
                           "l" + "r" * (len(COLUMNS) + 1)))]


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    columns = [v for v in variants.hot_cold(stand_in) if v.name != variants.CONTROL]
    rows, pairs = [], []
    for cls in programs.select(options.programs, QUICK_PROGRAMS if options.quick else PROGRAMS):
        experiment = Experiment(cls(context.cache, context.sources, context.progress), columns,
                                context.tools, context.cache, context.progress, peers=PEERS)
        experiment.prepare()
        experiment.repeat_optimizers(rounds)
        rows += [row for row in experiment.rows("cost") if row.metric.startswith(METRICS)]
        pairs += experiment.optimizer_pairs()
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    context.report += published(rows)
    return rows, combined(pairs)
