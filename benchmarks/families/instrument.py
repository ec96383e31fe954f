# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `instrument`: what does it cost to collect a profile?

Columns: the baseline, its copy (A/A control), llvm-bolt's instrumentation, ours, and two
ablations of ours: without indirect calls (`edges`) and with locked counters (`atomic`).

Every timed run starts without a profile, so it pays for making one, as the first run of
an instrumented program does, and as each run of llvm-bolt's does. llvm-bolt's programs
take several times as long as all others together and need no fine measurement: they run
in every third round, and are compared within those.
"""

import shutil
from dataclasses import dataclass, field

from bench import counts
from bench.errors import BenchError, OutputMismatch
from bench.image import code_size
from bench.rows import UNITS, Row, exact
from bench.stats import combined_ratio, geometric_mean, median, paired_ratio
from bench.table import grid
from families.experiment import REPEAT_BELOW_SECONDS
from families.variants import BASELINE, CONTROL, LLVM_BOLT, OURS, Variant
import programs

ABOUT = "instrumentation: time, code size and optimizer cost"
PROGRAMS = ["sqlite", "lua", "zstd", "perl", "redis", "minicc"]
QUICK_PROGRAMS = ["sqlite", "lua", "zstd"]
ROUNDS, QUICK_ROUNDS = 12, 6
PEER_EVERY = 3

COLUMNS = [
    Variant(BASELINE, "none"), Variant(CONTROL, "none"), Variant(LLVM_BOLT, "peer"),
    Variant(OURS, "ours"), Variant("edges", "ours", ["-instrument-calls=false"]),
    Variant("atomic", "ours", ["-atomic"])]
# Programs so large that instrumenting them takes minutes: without the ablations.
LARGE = ("minicc",)


@dataclass
class Subject:
    """A variant of one program; times by round."""
    variant: object
    binary: object
    user_times: dict = field(default_factory=dict)
    cpu_times: dict = field(default_factory=dict)
    optimizer_costs: list = field(default_factory=list)
    instructions: int = 0
    code: int = 0
    size: int = 0

    @property
    def profiles(self):
        """What a run leaves; llvm-bolt's and ours may add to the name."""
        return list(self.binary.parent.glob("counts*"))


class Instrumentation:
    """All variants of one program: made and checked, timed, turned into rows."""

    def __init__(self, program, context):
        self.program, self.tools = program, context.tools
        self.cache, self.progress = context.cache, context.progress
        self.scratch = self.cache.dir("run", program.name) / "scratch"
        self.subjects = {}

    def prepare(self):
        baseline = self.program.baseline()
        self.program.inputs()
        self.cache.fresh_dir("instrument", self.program.name)
        columns = COLUMNS[:4] if self.program.name in LARGE else COLUMNS
        for index, variant in enumerate(columns):
            # Equally long paths, so that argv moves no variant's stack.
            place = self.cache.dir("instrument", self.program.name, f"v{index:02d}")
            subject = Subject(variant, place / self.program.name)
            self.subjects[variant.name] = subject
            if variant.tool == "none":
                shutil.copy2(baseline, subject.binary)
            else:
                self.progress.step(f"{self.program.name}: instrumenting ({variant.name})")
                self._instrument(subject)
            subject.code, subject.size = code_size(subject.binary), subject.binary.stat().st_size

    def _instrument(self, subject):
        flags = ["-instrument", f"-instrumentation-file={subject.binary.parent / 'counts'}"]
        subject.optimizer_costs.append(self.tools[subject.variant.tool].optimize(
            self.subjects[BASELINE].binary, subject.binary, [*flags, *subject.variant.flags],
            f"instrumenting {self.program.name} ({subject.variant.name})"))

    def time_optimizers(self):
        """More samples, interleaved; slow ones keep their only one."""
        pair = [self.subjects[LLVM_BOLT], self.subjects[OURS]]
        if max(s.optimizer_costs[0].wall_time for s in pair) > REPEAT_BELOW_SECONDS:
            return
        for _ in range(2):
            for subject in pair:
                self.progress.tick(f"{self.program.name}: timing optimizers")
                self._instrument(subject)

    def time(self, kind, rounds):
        """Interleaved rounds, rotating; the first one only warms up and checks the output."""
        self.progress.step(f"{self.program.name}: {rounds}+1 timed rounds")
        expected = None
        for number in range(rounds + 1):
            self.progress.tick(f"{self.program.name}: round {number} of {rounds}")
            order = list(self.subjects.values())
            first = number % len(order)
            for subject in order[first:] + order[:first]:
                if subject.variant.tool == "peer" and number % PEER_EVERY:
                    continue
                result = self._run(subject, kind)
                expected = expected or result.output
                self._check(subject, result, expected)
                if number > 0:
                    subject.user_times[number] = result.user_time
                    subject.cpu_times[number] = result.user_time + result.system_time

    def count(self):
        """Instructions of the simulator's small workload: load does not move them."""
        expected = self._run(self.subjects[BASELINE], "count").output
        for subject in self.subjects.values():
            if subject.variant.name == CONTROL:
                continue
            self.progress.step(f"{self.program.name}: counting ({subject.variant.name})")
            self._forget(subject)
            result, counted = counts.measure(self.program, subject.binary, "count", self.scratch)
            self._check(subject, result, expected)
            subject.instructions = counted.instructions

    def _forget(self, subject):
        for profile in subject.profiles:
            profile.unlink()

    def _run(self, subject, kind):
        self._forget(subject)
        return self.program.run(subject.binary, kind, self.scratch)

    def _check(self, subject, result, expected):
        name = f"{self.program.name} ({subject.variant.name})"
        if result.output != expected:
            raise OutputMismatch(f"{name} computes something else than the baseline")
        if subject.variant.tool != "none" and not subject.profiles:
            raise BenchError(f"{name} left no profile")

    def pairs(self):
        """(metric, peer, our times, peer's times), paired by round."""
        baseline, bolt = self.subjects[BASELINE], self.subjects[LLVM_BOLT]
        for subject in list(self.subjects.values())[1:]:
            against = [baseline, bolt] if subject.variant.tool == "ours" else [baseline]
            for peer in against:
                control = subject.variant.name == CONTROL
                for base in ("user_time", "cpu_time"):
                    mine, theirs = getattr(subject, base + "s"), getattr(peer, base + "s")
                    rounds = sorted(mine.keys() & theirs.keys())
                    if rounds:
                        yield (base if control else subject.variant.metric(base),
                               CONTROL if control else peer.variant.name,
                               [mine[r] for r in rounds], [theirs[r] for r in rounds])

    def rows(self):
        rows = [self._sampled(*pair) for pair in self.pairs()]
        baseline, bolt = self.subjects[BASELINE], self.subjects[LLVM_BOLT]
        for subject in list(self.subjects.values())[2:]:
            for peer in (baseline, bolt):
                if peer is not subject:
                    rows += self._exact(subject, peer)
        return rows + self._optimizer_rows(self.subjects[OURS], bolt)

    def _exact(self, subject, peer):
        rows = [exact("instrument", self.program.name, subject.variant.metric(metric),
                      getattr(subject, attribute), peer.variant.name, getattr(peer, attribute))
                for metric, attribute in (("code_size", "code"), ("output_size", "size"),
                                          ("instructions", "instructions"))
                if getattr(subject, attribute)]
        for row in rows:
            if row.unit == "count" and not self.program.repeatable:
                row.ci_low = row.ci_high = None
        return rows

    def _optimizer_rows(self, subject, peer):
        return [self._sampled(metric, peer.variant.name,
                              [getattr(cost, attribute) for cost in subject.optimizer_costs],
                              [getattr(cost, attribute) for cost in peer.optimizer_costs])
                for metric, attribute in (("optimizer_time", "wall_time"),
                                          ("optimizer_user_time", "user_time"),
                                          ("optimizer_peak_memory", "peak_memory"))]

    def _sampled(self, metric, peer, mine, theirs):
        ratio, low, high = paired_ratio(mine, theirs)
        return Row("instrument", self.program.name, metric, UNITS[metric.partition("[")[0]],
                   median(mine), peer, median(theirs), ratio, low, high)

    def discard(self):
        shutil.rmtree(self.cache.root / "instrument" / self.program.name, ignore_errors=True)
        shutil.rmtree(self.scratch.parent, ignore_errors=True)


# Columns of the short tables: metric, peer.
RUN_COLUMNS = {"A/A": ("user_time", CONTROL), "graupel": ("user_time", BASELINE),
               "-instrument-calls=false": ("user_time[edges]", BASELINE),
               "-atomic": ("user_time[atomic]", BASELINE),
               "llvm-bolt": ("user_time[llvm-bolt]", BASELINE),
               "graupel, user + system": ("cpu_time", BASELINE)}
COST_COLUMNS = {"code": ("code_size", BASELINE), "llvm-bolt's": ("code_size[llvm-bolt]", BASELINE),
                "file": ("output_size", BASELINE), "llvm-bolt's ": ("output_size[llvm-bolt]", BASELINE),
                "optimizer: wall / llvm-bolt's": ("optimizer_time", LLVM_BOLT),
                "user": ("optimizer_user_time", LLVM_BOLT),
                "memory": ("optimizer_peak_memory", LLVM_BOLT)}


def short_table(columns, rows, combined):
    """A line for each program, and one of geometric means; ratios with their intervals."""
    def cell(ratio, low, high):
        return f"{ratio:.3f}" + (f" [{low:.3f}, {high:.3f}]" if low not in (None, high) else "")

    found = {(row.program, row.metric, row.peer): row for row in rows}
    names = list(dict.fromkeys(row.program for row in rows))
    body = []
    for name in names:
        cells = (found.get((name, *key)) for key in columns.values())
        body.append([name, *(cell(r.ratio, r.ci_low, r.ci_high) if r else "" for r in cells)])
    means = []
    for key in columns.values():
        ratios = [found[name, *key].ratio for name in names if (name, *key) in found]
        means.append(cell(geometric_mean(ratios), *combined.get(key, (None,) * 3)[1:])
                     if ratios else "")
    return "\n".join(grid(["program", *columns], [*body, ["geometric mean", *means]],
                          "l" + "r" * len(columns)))


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    rows, samples = [], {}
    for cls in programs.select(options.programs, QUICK_PROGRAMS if options.quick else PROGRAMS):
        subject = Instrumentation(cls(context.cache, context.sources, context.progress), context)
        subject.prepare()
        if options.counts_only:
            subject.count()
        else:
            subject.time("quick", rounds)
            subject.time_optimizers()
        rows += subject.rows()
        for metric, peer, mine, theirs in subject.pairs():
            samples.setdefault((metric, peer), []).append((mine, theirs))
        if not options.keep:
            subject.discard()
    if options.counts_only:
        rows = [row for row in rows if not row.metric.startswith("optimizer_")]
    combined = {key: combined_ratio(pairs) for key, pairs in samples.items()}
    context.report += [f"{title}:\n\n{short_table(columns, rows, combined)}" for title, columns in
                       (("User time / baseline", RUN_COLUMNS),
                        ("Sizes / baseline, and the optimizer", COST_COLUMNS))]
    return rows, combined
