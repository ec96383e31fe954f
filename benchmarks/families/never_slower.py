# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `never-slower`: is any program slower than its original?

Columns: the baseline, its copy (A/A control), our default. Counts are those of the training input
(decode windows, by the optimizer's own statistics) and of another input (instructions, I-cache misses,
by cachegrind). Time is compared in many short interleaved rounds: a program is slower if the whole interval
of its ratio lies above all that the copy differs from the original.
"""

import json
import subprocess

from bench.errors import BenchError
from bench.rows import exact
from families import variants
from families.experiment import Experiment, combined_times
import programs

ABOUT = "no program slower than its original: counts, decode windows of hot loops, time"
PROGRAMS = ["sqlite", "lua", "zstd", "perl", "duktape", "tcc", "leveldb", "troff", "yaml", "expat",
            "mawk", "lz4", "brotli", "picosat"]
QUICK_PROGRAMS = ["lua", "expat", "picosat"]
ROUNDS, QUICK_ROUNDS = 40, 12
# A loop is worse if an iteration enters this many windows more than before.
WINDOWS_WORSE = 0.25
SHARE_WORSE = 1.0       # per cent of the instructions, below which a loop does not matter


def columns(stand_in):
    chosen = [v for v in variants.peers() if v.name != variants.LLVM_BOLT]
    return [*chosen, variants.ours(stand_in, components=False)[0]]


def statistics(experiment):
    """What -spike-stats says of the default layout, or None from an optimizer that cannot."""
    tool = experiment.tools["ours"]
    if not tool.knows("spike-stats"):
        return None
    file = experiment.scratch.parent / "statistics.json"
    original = experiment.subjects[variants.BASELINE].binary
    result = subprocess.run(
        [tool.path, original, "-o", experiment.scratch.parent / "measured",
         f"-data={experiment.profile}", "-spike-stats=json", f"-spike-stats-file={file}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if result.returncode != 0:
        raise BenchError(f"statistics of {experiment.program.name}: "
                         f"{result.stderr.decode(errors='replace')[-800:]}")
    return json.loads(file.read_text())["layout"]


def worse_loops(layout):
    return [loop for loop in layout["loops"]
            if loop["windows_after"] is not None and loop["percent"] >= SHARE_WORSE
            and loop["windows_after"] > loop["windows_before"] + WINDOWS_WORSE]


def window_row(program, layout):
    return exact("never-slower", program, "decode_windows", layout["after"]["windows_entered"],
                 variants.BASELINE, layout["before"]["windows_entered"])


def loops_text(layout):
    """How many hot loops got worse, of how many."""
    hot = sum(loop["percent"] >= SHARE_WORSE for loop in layout["loops"])
    return f"{len(worse_loops(layout))} of {hot}"


def verdicts(rows, loops):
    """A table: per program the ratios, and whether any says that it is slower."""
    lines = ["| program | time | A/A | instructions | I-cache misses | decode windows | "
             "hot loops worse | verdict |", "|---|---|---|---|---|---|---|---|"]
    for name in dict.fromkeys(row.program for row in rows):
        found = {(r.metric, r.peer): r for r in rows if r.program == name}
        time, control = (found.get(("user_time", variants.BASELINE)),
                         found.get(("user_time", variants.CONTROL)))
        cells = [f"{r.ratio:.3f} [{r.ci_low:.3f}, {r.ci_high:.3f}]" if r else "not measured"
                 for r in (time, control)]
        for metric in ("instructions", "icache_misses", "decode_windows"):
            row = found.get((metric, variants.BASELINE))
            cells.append(f"{row.ratio:.4f}" if row else "")
        cells.append(loops.get(name, ""))
        lines.append(f"| {name} | {' | '.join(cells)} | {verdict(time, control, found)} |")
    return "\n".join(lines)


def verdict(time, control, found):
    """By time if there is one, else by counts."""
    if time and control:
        bar = max(1.0, control.ci_high)
        return "slower" if time.ci_low > bar else "not slower"
    counts = [found[key].ratio for key in ((m, variants.BASELINE) for m in
                                           ("instructions", "decode_windows")) if key in found]
    return "may be slower" if counts and min(counts) > 1.002 else "not slower"


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    default = QUICK_PROGRAMS if options.quick else PROGRAMS
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    rows, experiments, loops = [], [], {}
    for cls in programs.select(options.programs, default):
        program = cls(context.cache, context.sources, context.progress)
        experiment = Experiment(program, columns(stand_in), context.tools, context.cache,
                                context.progress, peers=(variants.BASELINE,))
        experiment.prepare()
        layout = statistics(experiment)
        if not options.counts_only:
            experiment.time("quick", options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS))
        experiment.count()
        rows += [r for r in experiment.rows("never-slower")
                 if not r.metric.startswith(("optimizer", "output_size"))]
        if layout:
            rows.append(window_row(program.name, layout))
            loops[program.name] = loops_text(layout)
        for loop in worse_loops(layout) if layout else ():
            context.notes.append(
                f"{program.name}: loop at {loop['procedure']}+{loop['offset']:#x} "
                f"({loop['percent']:.1f} % of the instructions) enters "
                f"{loop['windows_after']:.2f} windows, before {loop['windows_before']:.2f}")
        experiments.append(experiment)
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    context.report.append(verdicts(rows, loops))
    return rows, combined_times(experiments)
