# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statistics: means, pairing, and an interval that covers what it should."""

import random
import unittest

import context  # noqa: F401
from bench.stats import combined_ratio, geometric_mean, median, paired_ratio


class Means(unittest.TestCase):
    def test_geometric_mean(self):
        self.assertAlmostEqual(geometric_mean([1, 4]), 2)
        self.assertAlmostEqual(geometric_mean([0.5, 2, 1]), 1)

    def test_geometric_mean_refuses_nonsense(self):
        for values in ([], [1, 0], [1, -1]):
            with self.assertRaises(ValueError):
                geometric_mean(values)

    def test_median(self):
        self.assertEqual(median([3, 1, 2]), 2)
        self.assertEqual(median([4, 1, 2, 3]), 2.5)


class Pairing(unittest.TestCase):
    def test_common_drift_cancels(self):
        # The machine slows down by half over the rounds; ours is 10 % faster in each.
        peer = [1 + 0.05 * i for i in range(10)]
        ratio, low, high = paired_ratio([0.9 * p for p in peer], peer)
        self.assertAlmostEqual(ratio, 0.9)
        self.assertAlmostEqual(low, 0.9)
        self.assertAlmostEqual(high, 0.9)

    def test_interval_surrounds_ratio_and_repeats(self):
        rng = random.Random(7)
        peer = [1 + 0.02 * rng.random() for _ in range(20)]
        mine = [0.95 + 0.02 * rng.random() for _ in range(20)]
        first = paired_ratio(mine, peer)
        self.assertLess(first[1], first[0])
        self.assertLess(first[0], first[2])
        self.assertLess(first[2], 1)
        self.assertEqual(first, paired_ratio(mine, peer))

    def test_coverage(self):
        # 95 % nominal; a percentile bootstrap of 15 samples is a little short of it.
        rng, covered = random.Random(11), 0
        for trial in range(100):
            peer = [1.0] * 15
            mine = [1.05 * 2 ** rng.gauss(0, 0.03) for _ in peer]
            _, low, high = paired_ratio(mine, peer, seed=trial)
            covered += low <= 1.05 <= high
        self.assertGreaterEqual(covered, 85)

    def test_one_round_has_no_interval(self):
        self.assertEqual(paired_ratio([2], [4]), (0.5, None, None))

    def test_unequal_lengths(self):
        with self.assertRaises(ValueError):
            paired_ratio([1, 2], [1])


class Combining(unittest.TestCase):
    def test_programs_weigh_equally(self):
        ratio, low, high = combined_ratio([([2] * 9, [1] * 9), ([1] * 3, [2] * 3)])
        self.assertAlmostEqual(ratio, 1)
        self.assertAlmostEqual(low, 1)
        self.assertAlmostEqual(high, 1)

    def test_short_samples_have_no_interval(self):
        self.assertIsNone(combined_ratio([([2], [1]), ([1, 1], [2, 2])])[1])


if __name__ == "__main__":
    unittest.main()
