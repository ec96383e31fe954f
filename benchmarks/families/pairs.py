# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs side by side, and the rows that come of them."""

from bench.rows import Row
from bench.stats import combined_ratio, median, paired_ratio


def interleaved(rounds, runs):
    """[{name: result}] of `rounds` rounds; another one opens each. The first round is discarded."""
    names = list(runs)
    found = []
    for number in range(rounds + 1):
        first = number % len(names)
        found.append({name: runs[name]() for name in names[first:] + names[:first]})
    return found[1:]


class Pairs:
    """Collects rows of a benchmark, and samples for means over programs."""

    def __init__(self, benchmark):
        self.benchmark = benchmark
        self.rows, self.samples = [], {}

    def sampled(self, program, metric, unit, ours, peer, peers):
        """Row of paired samples."""
        self.rows.append(Row(self.benchmark, program, metric, unit, median(ours), peer,
                             median(peers), *paired_ratio(ours, peers)))

    def pair(self, program, metric, unit, ours, peer, peers):
        """The same, and a part of the mean over programs."""
        self.sampled(program, metric, unit, ours, peer, peers)
        self.samples.setdefault((metric, peer), []).append((ours, peers))

    def exact(self, program, metric, unit, value, peer, peer_value):
        """Row of what is the same in each run."""
        ratio = value / peer_value
        self.rows.append(Row(self.benchmark, program, metric, unit, value, peer, peer_value, ratio,
                             ratio, ratio))

    def once(self, program, metric, unit, value, peer, peer_value):
        """Row of what depends on the run, but has no samples."""
        self.rows.append(Row(self.benchmark, program, metric, unit, value, peer, peer_value,
                             value / peer_value, None, None))

    def combined(self):
        return {key: combined_ratio(pairs) for key, pairs in self.samples.items()}
