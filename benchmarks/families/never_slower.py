# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `never-slower`: is any program slower than its original?

Columns: the baseline, its copy (A/A control), our layout alone, and our default. Counts are those
of another input than the training's: instructions and I-cache misses by cachegrind, decode windows that
execution enters by callgrind. The optimizer's own statistics predict these windows for the training
input. Time is compared in many short interleaved rounds: a program is slower if the whole interval of its
ratio lies above all that the copy differs from the original.
"""

import json
import subprocess

from bench import callgrind, table
from bench.errors import BenchError, OutputMismatch
from bench.image import Image
from bench.rows import exact
from bench.stats import geometric_mean
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
OUTSIDE_VARIES = 0.01   # of all instructions
SHARE_WORSE = 1.0       # per cent of the instructions, below which a loop does not matter


def columns(stand_in):
    wanted = (variants.BASELINE, variants.CONTROL, variants.OURS, variants.HCO)
    return [v for v in variants.hot_cold(stand_in) if v.name in wanted]


def statistics(experiment, variant):
    """What -spike-stats says of a variant, or None from an optimizer that cannot."""
    tool = experiment.tools["ours"]
    if not tool.knows("spike-stats"):
        return None
    file = experiment.scratch.parent / "statistics.json"
    original = experiment.subjects[variants.BASELINE].binary
    result = subprocess.run(
        [tool.path, original, "-o", experiment.scratch.parent / "measured",
         f"-data={experiment.profile}", *variant.flags, "-spike-stats=json",
         f"-spike-stats-file={file}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if result.returncode != 0:
        raise BenchError(f"statistics of {experiment.program.name}: "
                         f"{result.stderr.decode(errors='replace')[-800:]}")
    return json.loads(file.read_text())["layout"]


def worse_loops(layout):
    return [loop for loop in layout["loops"]
            if loop["windows_after"] is not None and loop["percent"] >= SHARE_WORSE
            and loop["windows_after"] > loop["windows_before"] + WINDOWS_WORSE]


def window_row(program, variant, layout):
    return exact("never-slower", program, variant.metric("predicted_windows"),
                 layout["after"]["windows_entered"], variants.BASELINE,
                 layout["before"]["windows_entered"])


def count_windows(experiment, ours):
    """Rows of the windows that execution really entered."""
    def windows_of(variant):
        program, binary = experiment.program, experiment.subjects[variant].binary
        experiment.progress.step(f"{program.name}: counting windows ({variant})")
        image = Image(binary)
        result, execution = callgrind.measure(program, binary, "count", experiment.scratch, image,
                                              takes_unknown=True)
        if result.output != experiment.expected:
            raise OutputMismatch(f"{program.name} ({variant}) computes something else")
        outside = (experiment.subjects[variant].counts.instructions -
                   sum(execution.instructions.values()))
        return callgrind.windows_entered(execution, image.calls()), outside

    before, outside_before = windows_of(variants.BASELINE)
    rows = []
    for variant in ours:
        after, outside = windows_of(variant.name)
        # Libraries execute the same. Otherwise callgrind does not know what belongs to whom.
        if abs(outside - outside_before) > OUTSIDE_VARIES * \
                experiment.subjects[variants.BASELINE].counts.instructions:
            raise BenchError(f"{experiment.program.name} ({variant.name}): callgrind has other "
                             "instructions of the program than cachegrind")
        rows.append(exact("never-slower", experiment.program.name,
                          variant.metric("decode_windows"), after, variants.BASELINE, before))
    return rows


def loops_text(layout):
    """How many hot loops got worse, of how many."""
    hot = sum(loop["percent"] >= SHARE_WORSE for loop in layout["loops"])
    return f"{len(worse_loops(layout))} of {hot}"


def verdicts(rows, loops, columns_of_ours):
    """A table: per program and variant the ratios, and whether any says that it is slower."""
    lines = ["| program | variant | time | A/A | instructions | I-cache misses | decode windows | "
             "predicted | hot loops worse | verdict |", "|---|---|---|---|---|---|---|---|---|---|"]
    for name in dict.fromkeys(row.program for row in rows):
        found = {(r.metric, r.peer): r for r in rows if r.program == name}
        for variant in columns_of_ours:
            cells = [name, label(variant).strip("`")]
            cells += figures(found, variant)
            cells += [loops.get((name, variant.name), ""), verdict(found, variant)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def published(rows):
    """The tables of the documents: time, if it was measured, and counts."""
    of_ours = [v for v in columns(stand_in=False) if v.tool == "ours"]
    by_program = {name: {(r.metric, r.peer): r for r in rows if r.program == name}
                  for name in dict.fromkeys(row.program for row in rows)}
    tables = []
    if any(metric == "user_time" for found in by_program.values() for metric, _ in found):
        cells = {name: [figures(found, of_ours[0])[1], *(figures(found, v)[0] for v in of_ours)]
                 for name, found in by_program.items()}
        tables.append(published_table(["A/A", *(label(v) for v in of_ours)], cells))
    header = [text for v in of_ours
              for text in (f"{label(v)}: instructions", "I-cache misses", "windows", "predicted")]
    tables.append(published_table(header, {
        name: [cell for v in of_ours for cell in figures(found, v)[2:]]
        for name, found in by_program.items()}))
    return tables


def label(variant):
    return f"`{variant.flags[-1]}`" if variant.flags else "default"


def published_table(header, cells):
    """Of ratios; the last line has geometric means."""
    def mean(column):
        ratios = [float(line[column].split()[0]) for line in cells.values() if line[column][:1].isdigit()]
        return f"{geometric_mean(ratios):.3f}" if ratios else ""
    lines = [[name, *line] for name, line in cells.items()]
    lines.append(["geometric mean", *(mean(i) for i in range(len(header)))])
    return "\n".join(table.grid(["program", *header], lines, "l" + "r" * len(header)))


def times(found, variant):
    """Rows of a variant's time and of the control's, or None."""
    return (found.get((variant.metric("user_time"), variants.BASELINE)),
            found.get(("user_time", variants.CONTROL)))


def counted(found, variant, *metrics):
    return [found.get((variant.metric(m), variants.BASELINE)) for m in metrics]


def figures(found, variant):
    cells = [f"{r.ratio:.3f} [{r.ci_low:.3f}, {r.ci_high:.3f}]" if r else "not measured"
             for r in times(found, variant)]
    return cells + [f"{r.ratio:.4f}" if r else "" for r in counted(
        found, variant, "instructions", "icache_misses", "decode_windows", "predicted_windows")]


def verdict(found, variant):
    """By time if there is one, else by counts."""
    time, control = times(found, variant)
    if time and control:
        bar = max(1.0, control.ci_high)
        return "slower" if time.ci_low > bar else "not slower"
    counts = [r.ratio for r in counted(found, variant, "instructions", "decode_windows") if r]
    return "may be slower" if counts and min(counts) > 1.002 else "not slower"


def loop_notes(program, variant, layout):
    return [f"{program.name} ({variant.name}): loop at {loop['procedure']}+{loop['offset']:#x} "
            f"({loop['percent']:.1f} % of the instructions) enters "
            f"{loop['windows_after']:.2f} windows, before {loop['windows_before']:.2f}"
            for loop in worse_loops(layout)]


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    default = QUICK_PROGRAMS if options.quick else PROGRAMS
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    chosen = columns(stand_in)
    ours = [v for v in chosen if v.tool == "ours"]
    rows, experiments, loops = [], [], {}
    for cls in programs.select(options.programs, default):
        program = cls(context.cache, context.sources, context.progress)
        experiment = Experiment(program, chosen, context.tools, context.cache,
                                context.progress, peers=(variants.BASELINE,))
        experiment.prepare()
        layouts = {v.name: statistics(experiment, v) for v in ours}
        if not options.counts_only:
            experiment.time("quick", options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS))
        experiment.count()
        rows += [r for r in experiment.rows("never-slower")
                 if not r.metric.startswith(("optimizer", "output_size"))]
        rows += count_windows(experiment, ours)
        for variant in ours:
            if layout := layouts[variant.name]:
                rows.append(window_row(program.name, variant, layout))
                loops[program.name, variant.name] = loops_text(layout)
                context.notes += loop_notes(program, variant, layout)
        experiments.append(experiment)
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    context.report.append(verdicts(rows, loops, ours))
    return rows, combined_times(experiments)
