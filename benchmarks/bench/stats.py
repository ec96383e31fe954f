# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ratios of paired runs and how far to trust them.

Variants run interleaved (A B C, A B C, ...), so the runs of one round share the
machine's mood and are compared within the round. The figure reported is the
geometric mean of the rounds' ratios; its 95 % interval is a percentile bootstrap
over rounds. The generator is seeded: the same samples give the same interval.
"""

import math
import random

RESAMPLES = 2000


def geometric_mean(values):
    """exp(mean(log)); needs at least one value, all positive."""
    values = list(values)
    if not values:
        raise ValueError("geometric mean of nothing")
    if min(values) <= 0:
        raise ValueError("geometric mean needs positive values")
    return math.exp(math.fsum(math.log(v) for v in values) / len(values))


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def paired_logs(ours, peer):
    """Logarithms of the per-round ratios ours/peer."""
    if len(ours) != len(peer):
        raise ValueError("paired samples must have equal length")
    return [math.log(a / b) for a, b in zip(ours, peer)]


def _interval(draws):
    draws.sort()
    low = draws[int(0.025 * (len(draws) - 1))]
    high = draws[math.ceil(0.975 * (len(draws) - 1))]
    return math.exp(low), math.exp(high)


def paired_ratio(ours, peer, seed=1):
    """(ratio, ci_low, ci_high) of ours/peer; the interval is None with fewer than two rounds."""
    logs = paired_logs(ours, peer)
    ratio = math.exp(math.fsum(logs) / len(logs))
    if len(logs) < 2:
        return ratio, None, None
    rng = random.Random(seed)
    draws = [math.fsum(rng.choices(logs, k=len(logs))) / len(logs) for _ in range(RESAMPLES)]
    return (ratio, *_interval(draws))


def combined_ratio(pairs, seed=1):
    """Geometric mean over programs of their paired ratios, rounds resampled per program.

    `pairs` holds one (ours, peer) pair of sample lists per program. The programs
    themselves are fixed, so the interval speaks of measurement noise only.
    """
    groups = [paired_logs(ours, peer) for ours, peer in pairs]
    if not groups:
        raise ValueError("combined ratio of no programs")

    def mean_of(samples):
        return math.fsum(math.fsum(s) / len(s) for s in samples) / len(samples)

    ratio = math.exp(mean_of(groups))
    if min(len(g) for g in groups) < 2:
        return ratio, None, None
    rng = random.Random(seed)
    draws = [mean_of([rng.choices(g, k=len(g)) for g in groups]) for _ in range(RESAMPLES)]
    return (ratio, *_interval(draws))
