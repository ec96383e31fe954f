# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One program through all variants: optimize, check, count, time, and turn into rows.

Steps:
 1. build the baseline and collect one profile, shared by all optimizers;
 2. produce every variant; a variant whose output differs from the baseline's ends
    the run (the peer may drop a flag instead, which is reported);
 3. count instructions and I-cache misses of every variant in the simulator;
 4. time all variants interleaved, round by round, rotating, the first round discarded;
 5. compare ours with each peer.
"""

import shutil
from dataclasses import dataclass, field

from bench import counts, optimizer
from bench.errors import BenchError, OutputMismatch
from bench.rows import UNITS, Row, exact
from bench.stats import combined_ratio, median, paired_ratio
from families.variants import BASELINE, CONTROL, LLVM_BOLT

# Optimizers that run shorter than this are run three times, interleaved.
REPEAT_BELOW_SECONDS = 6.0


@dataclass
class Subject:
    """A variant of one program and everything measured on it."""
    variant: object
    binary: object
    counts: object = None           # of the workload `count`
    training: object = None         # of the training workload, where a family asks for it
    user_times: list = field(default_factory=list)
    optimizer_times: list = field(default_factory=list)
    optimizer_memory: list = field(default_factory=list)

    @property
    def size(self):
        return self.binary.stat().st_size


class Experiment:
    """All variants of one program."""

    def __init__(self, program, variants, tools, cache, progress, optimizer_flags=(),
                 peers=(BASELINE, LLVM_BOLT)):
        self.program = program
        self.variants = variants
        self.tools = tools                      # {"peer": Optimizer, "ours": Optimizer}
        self.cache = cache
        self.progress = progress
        self.optimizer_flags = list(optimizer_flags)
        self.peers = peers                      # names of the variants to compare with
        self.scratch = cache.dir("run", program.name) / "scratch"
        self.subjects = {}
        self.outputs = {}                       # kind of workload: what it computes
        self.notes = []

    def prepare(self):
        """Steps 1 and 2."""
        baseline = self.program.baseline()
        self.program.inputs()
        self.profile = optimizer.collect_profile(self.program, self.tools["ours"], baseline,
                                                 self.cache)
        self.cache.fresh_dir("variants", self.program.name)
        for index, variant in enumerate(self.variants):
            # Equally long paths, so that argv moves no variant's stack.
            binary = self.cache.dir("variants", self.program.name, f"v{index:02d}")
            subject = Subject(variant, binary / self.program.name)
            self.subjects[variant.name] = subject
            if variant.tool == "none":
                shutil.copy2(baseline, subject.binary)
        self.expected = self._digest(self.subjects[BASELINE])
        for subject in self._optimized():
            self._make(subject)

    def _optimized(self):
        return [s for s in self.subjects.values() if s.variant.tool != "none"]

    def _digest(self, subject):
        return self.program.run(subject.binary, "count", self.scratch).output

    def _verify(self, subject, output, expected):
        if output != expected:
            raise OutputMismatch(f"{self.program.name}: variant {subject.variant.name} computes "
                                 f"something else than the baseline ({subject.binary})")

    def _optimize(self, subject, flags):
        baseline = self.subjects[BASELINE].binary
        what = f"{subject.variant.tool} optimizer on {self.program.name} ({subject.variant.name})"
        cost = self.tools[subject.variant.tool].optimize(
            baseline, subject.binary, [f"-data={self.profile}", *flags, *self.optimizer_flags], what)
        subject.optimizer_times.append(cost.wall_time)
        subject.optimizer_memory.append(cost.peak_memory)

    def _attempt(self, subject, flags):
        subject.optimizer_times.clear()
        subject.optimizer_memory.clear()
        self._optimize(subject, flags)
        self._verify(subject, self._digest(subject), self.expected)

    def _make(self, subject):
        """Produce and check one variant. Only the peer may retry with a flag less."""
        variant = subject.variant
        self.progress.step(f"{self.program.name}: optimizing ({variant.name})")
        flags = list(variant.flags)
        if variant.tool == "peer":
            for flag, why in self.program.drop_flags.items():
                if flag in flags:
                    flags.remove(flag)
                    self.note(f"llvm-bolt without {flag}: {why}")
        try:
            self._attempt(subject, flags)
        except BenchError as error:
            if variant.tool != "peer":
                raise
            flags = self._without_a_flag(subject, flags, error)
        subject.flags = flags

    def _without_a_flag(self, subject, flags, error):
        for flag in reversed(flags):
            fewer = [f for f in flags if f != flag]
            try:
                self._attempt(subject, fewer)
            except BenchError:
                continue
            first = str(error).splitlines()[0]
            self.note(f"llvm-bolt without {flag}, which fails here: {first}")
            return fewer
        raise error

    def note(self, text):
        self.notes.append(f"{self.program.name}: {text}")
        self.progress.note(self.notes[-1])

    def time_optimizers(self):
        """More samples of optimizer cost, interleaved; slow ones keep their single sample."""
        subjects = self._optimized()
        if max(s.optimizer_times[0] for s in subjects) > REPEAT_BELOW_SECONDS:
            return
        self._sample_optimizers(2)

    def repeat_optimizers(self, rounds):
        """So many samples instead of the first, interleaved."""
        for subject in self._optimized():
            subject.optimizer_times.clear()
            subject.optimizer_memory.clear()
        self._sample_optimizers(rounds)

    def _sample_optimizers(self, rounds):
        for number in range(rounds):
            self.progress.tick(f"{self.program.name}: optimizers, round {number + 1} of {rounds}")
            for subject in self._optimized():
                self._optimize(subject, subject.flags)

    def count(self):
        """Step 3."""
        for subject, result in self._counted("count", True):
            subject.counts = result

    def count_training(self):
        """Step 3 for the input that the profile is from; instructions only."""
        for subject, result in self._counted("train", False):
            subject.training = result

    def _counted(self, kind, simulate_caches):
        expected = None
        for subject in self.subjects.values():
            if subject.variant.name == CONTROL:
                continue
            self.progress.step(f"{self.program.name}: counting ({subject.variant.name}, {kind})")
            result, found = counts.measure(self.program, subject.binary, kind, self.scratch,
                                           simulate_caches)
            expected = expected or (self.expected if kind == "count" else result.output)
            self._verify(subject, result.output, expected)
            yield subject, found

    def time(self, kind, rounds):
        """Step 4."""
        self.progress.step(f"{self.program.name}: {rounds}+1 timed rounds of "
                           f"{len(self.subjects)} variants")
        for number in range(rounds + 1):
            self.progress.tick(f"{self.program.name}: round {number} of {rounds}")
            self.round(number, kind)

    def round(self, number, kind):
        """One run of each variant; round 0 is discarded."""
        # A different variant opens each round, so that none always follows the same one.
        order = list(self.subjects.values())
        first = number % len(order)
        for subject in order[first:] + order[:first]:
            result = self.program.run(subject.binary, kind, self.scratch)
            expected = self.outputs.setdefault(kind, result.output)
            self._verify(subject, result.output, expected)
            if number > 0:
                subject.user_times.append(result.user_time)

    def rows(self, benchmark):
        """Step 5."""
        rows = []
        baseline, control = self.subjects[BASELINE], self.subjects.get(CONTROL)
        if control and control.user_times:
            rows.append(self._sampled(benchmark, "user_time", control.user_times, CONTROL,
                                      baseline.user_times))
        for subject, peer in self._pairs():
            rows += self.compare(benchmark, subject, peer)
        return rows

    def _pairs(self):
        """All comparisons: of an optimized variant with the peers among those before it."""
        order = list(self.subjects.values())
        for index, subject in enumerate(order):
            if subject.variant.tool != "none":
                for peer in order[:index]:
                    if peer.variant.name in self.peers:
                        yield subject, peer

    def compare(self, benchmark, subject, peer):
        name, rows = peer.variant.name, []
        if subject.user_times:
            rows.append(self._sampled(benchmark, subject.variant.metric("user_time"),
                                      subject.user_times, name, peer.user_times))
        if subject.counts:
            for metric in ("instructions", "icache_misses"):
                rows.append(self.counted_row(benchmark, metric, subject,
                                             getattr(subject.counts, metric), peer,
                                             getattr(peer.counts, metric)))
        rows.append(exact(benchmark, self.program.name, subject.variant.metric("output_size"),
                          subject.size, name, peer.size))
        if peer.optimizer_times:
            for metric, mine, theirs in (
                    ("optimizer_time", subject.optimizer_times, peer.optimizer_times),
                    ("optimizer_peak_memory", subject.optimizer_memory, peer.optimizer_memory)):
                rows.append(self._sampled(benchmark, subject.variant.metric(metric), mine, name,
                                          theirs))
        return rows

    def counted_row(self, benchmark, metric, subject, mine, peer, theirs):
        """Row of a simulator's figure."""
        row = exact(benchmark, self.program.name, subject.variant.metric(metric), mine,
                    peer.variant.name, theirs)
        if not self.program.repeatable:
            row.ci_low = row.ci_high = None
        return row

    def _sampled(self, benchmark, metric, mine, peer, theirs):
        ratio, low, high = paired_ratio(mine, theirs)
        return Row(benchmark, self.program.name, metric, UNITS[metric.partition("[")[0]],
                   median(mine), peer, median(theirs), ratio, low, high)

    def timed_pairs(self):
        """(metric, peer, our user times, peer's user times) of every timed comparison."""
        control = self.subjects.get(CONTROL)
        if control and control.user_times:
            yield ("user_time", CONTROL, control.user_times,
                   self.subjects[BASELINE].user_times)
        for subject, peer in self._pairs():
            if subject.user_times:
                yield (subject.variant.metric("user_time"), peer.variant.name,
                       subject.user_times, peer.user_times)

    def optimizer_pairs(self):
        """(metric, peer, our times, peer's times) of every comparison of optimizers."""
        for subject, peer in self._pairs():
            if peer.optimizer_times:
                yield (subject.variant.metric("optimizer_time"), peer.variant.name,
                       subject.optimizer_times, peer.optimizer_times)

    def discard(self):
        """Delete the variants' executables and the scratch files."""
        shutil.rmtree(self.cache.root / "variants" / self.program.name, ignore_errors=True)
        shutil.rmtree(self.scratch.parent, ignore_errors=True)


def combined(pairs):
    """Intervals of geometric means, from all programs' (metric, peer, our samples, peer's)."""
    found = {}
    for metric, peer, mine, theirs in pairs:
        found.setdefault((metric, peer), []).append((mine, theirs))
    return {key: combined_ratio(samples) for key, samples in found.items()}


def combined_times(experiments):
    """Those of user time."""
    return combined(pair for e in experiments for pair in e.timed_pairs())
