# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `demo`: what `graupel learn` and `graupel optimize` bring to programs that call a lot.

It is for people who have just built Graupel, on whatever machine, busy or not:
 1. each program is built, and `graupel learn` runs it on its training input;
 2. `graupel optimize` makes the new version, llvm-bolt another one from the same counts;
 3. instructions and I-cache misses are simulated, for another input: exact figures;
 4. original, its copy, llvm-bolt's and ours run in turns, until the interval of the time is
    narrow or the time for that is over. Only its width decides, not what lies in it.
"""

import shutil
import textwrap
import time

from bench import execute
from bench.errors import BenchError
from bench.stats import geometric_mean, paired_ratio
from bench.table import grid
from families import variants
from families.experiment import Experiment, combined_times
import programs

ABOUT = "what learn and optimize bring, in two minutes, on any machine"
PROGRAMS = ["sqlite", "yaml", "expat"]
ROUNDS, QUICK_ROUNDS = 8, 2  # at least; one has no interval
SECONDS = 60                # for all programs together; --quick takes no more than it must
NARROW = 0.03               # width of the interval
WIDTH = 100
HEADING = "## What it brought"  # the quickstart shows what follows


class Demonstration(Experiment):
    """One program, optimized as a user of the command would."""

    def __init__(self, graupel, *arguments):
        super().__init__(*arguments, peers=(variants.BASELINE, variants.LLVM_BOLT))
        self.graupel = graupel

    def _optimize(self, subject, flags):
        if subject.variant.name != variants.OURS or self.graupel is None:
            super()._optimize(subject, flags)
            return
        state = self.cache.fresh_dir("demo", self.program.name)
        try:
            self._by_command(subject, state)
        except BenchError as error:
            self.note("made by graupel-bolt, not by `graupel learn` and `graupel optimize`: "
                      + str(error).replace("\n", " "))
            super()._optimize(subject, flags)

    def _by_command(self, subject, state):
        """Learn, optimize, and take the version out of the store."""
        name, original = self.program.name, self.subjects[variants.BASELINE].binary
        command = ["env", f"XDG_STATE_HOME={state / 'state'}", self.graupel]
        self.progress.step(f"{name}: graupel learn -- {name} ...")
        self.program.run(original, "train", self.scratch, [*command, "learn", "--strict", "--"])
        self.progress.step(f"{name}: graupel optimize {name}")
        logs = self.cache.dir("demo", name, "logs")
        cost = execute.run([*command, "optimize", name], logs, what=f"graupel optimize {name}")
        execute.run([*command, "export", name, state / "out"], logs, what="graupel export")
        shutil.copy2(state / "out" / original.resolve().relative_to("/"), subject.binary)
        subject.optimizer_times.append(cost.wall_time)
        subject.optimizer_memory.append(cost.peak_memory)


def ratio_to_original(experiment):
    times = {name: s.user_times for name, s in experiment.subjects.items()}
    return paired_ratio(times[variants.OURS], times[variants.BASELINE])


def is_narrow(experiment, least):
    if len(experiment.subjects[variants.OURS].user_times) < least:
        return False
    _, low, high = ratio_to_original(experiment)
    return high - low <= NARROW


def time_all(experiments, least, seconds, progress):
    """Rounds over all programs whose interval is still wide, until the time is over."""
    begin = time.monotonic()
    for experiment in experiments:
        experiment.round(0, "quick")
    number = 0
    while wide := [e for e in experiments if not is_narrow(e, least)]:
        if number >= least and time.monotonic() - begin > seconds:
            return
        number += 1
        progress.tick(f"round {number}, {len(wide)} of {len(experiments)} programs still vary")
        for experiment in wide:
            experiment.round(number, "quick")


def percent(ratio):
    return f"{100 * (ratio - 1):+.1f} %"


def less(ratio, word="less"):
    return f"{abs(100 * (ratio - 1)):.1f} % {word if ratio <= 1 else 'more'}"


def result_table(rows, together):
    """A line for each program, and one for all of them."""
    header = ("", "time by gcc -O2", "a copy", "llvm-bolt", "Graupel", "95 % interval",
              "instructions", "I-cache misses")
    body = []
    for name in dict.fromkeys(row.program for row in rows):
        found = {(r.metric, r.peer): r for r in rows if r.program == name}
        ours = found["user_time", variants.BASELINE]
        body.append((name, f"{ours.peer_value:.3f} s",
                     percent(found["user_time", variants.CONTROL].ratio),
                     percent(found["user_time[llvm-bolt]", variants.BASELINE].ratio),
                     percent(ours.ratio), f"{percent(ours.ci_low)} to {percent(ours.ci_high)}",
                     *(percent(found[metric, variants.BASELINE].ratio)
                       for metric in ("instructions", "icache_misses"))))
    ratio, low, high = together["user_time", variants.BASELINE]
    body.append(("together", "", percent(together["user_time", variants.CONTROL][0]),
                 percent(together["user_time[llvm-bolt]", variants.BASELINE][0]),
                 percent(ratio), f"{percent(low)} to {percent(high)}", "", ""))
    return "\n".join(grid(header, body, "lrrrrrrr"))


def in_words(rows, together):
    """What the table says."""
    ratio, low, high = together["user_time", variants.BASELINE]
    peer = together["user_time[llvm-bolt]", variants.BASELINE][0]
    noise = together["user_time", variants.CONTROL][0]
    if low < 1 < high:
        counts = [geometric_mean([r.ratio for r in rows if r.metric == metric and
                                  r.peer == variants.BASELINE])
                  for metric in ("instructions", "icache_misses")]
        return (f"This machine is too busy to tell the times apart ({percent(low)} to "
                f"{percent(high)}). Counts are exact: with Graupel the programs execute "
                f"{less(counts[0], 'fewer')} instructions and have {less(counts[1], 'fewer')} "
                "misses in the instruction cache.")
    return (f"With Graupel the programs take {less(ratio)} time than gcc's (95 % interval: "
            f"{percent(low)} to {percent(high)}), with llvm-bolt {less(peer)}. Copies of gcc's "
            f"programs take {less(noise)}: that much is noise.")


def report(rows, together):
    return f"""{HEADING}

{result_table(rows, together)}

{textwrap.fill(in_words(rows, together), WIDTH)}
Times are of the processor; instructions and misses are simulated, and exact.

The same for your program, linked with -Wl,--emit-relocs:

    graupel learn -- ./app typical work
    graupel optimize app
    graupel run -- ./app any work"""


def command_of(context):
    """`graupel` beside the optimizer under test, or None."""
    command = context.tools["ours"].path.parent / "graupel"
    if command.exists():
        return command
    context.notes.append(f"there is no {command}: made by graupel-bolt alone")
    return None


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    flags = variants.default(variants.is_stand_in(context.tools["ours"].path)).flags
    columns = [*variants.peers(), variants.Variant(variants.OURS, "ours", flags)]
    graupel = command_of(context)
    experiments = []
    for cls in programs.select(options.programs, PROGRAMS):
        program = cls(context.cache, context.sources, context.progress)
        experiment = Demonstration(graupel, program, columns, context.tools, context.cache,
                                   context.progress)
        experiment.prepare()
        experiment.count()
        experiments.append(experiment)
    context.progress.step("timing")
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    time_all(experiments, max(rounds, QUICK_ROUNDS), 0 if options.quick else SECONDS,
             context.progress)
    rows = [row for e in experiments for row in e.rows("demo")]
    together = combined_times(experiments)
    context.report.append(report(rows, together))
    for experiment in experiments:
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    return rows, together
