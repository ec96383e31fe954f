# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The family never-slower: windows that execution enters, and its verdicts."""

import unittest
from collections import Counter

import context  # noqa: F401
from bench.callgrind import Execution, windows_entered
from bench.rows import Row
from families import never_slower, variants


def execution(instructions, jumps=(), calls=()):
    result = Execution(instructions=Counter(instructions))
    for source, target, count in jumps:
        result.jumps[source, target] += count
        result.arrived[target] += count
    for source, target, count in calls:
        result.calls[source, target] += count
    return result


class Windows(unittest.TestCase):
    def test_runs_over_boundaries(self):
        self.assertEqual(windows_entered(execution({0x100: 1, 0x110: 1, 0x11e: 1}), set()), 1)
        self.assertEqual(windows_entered(execution({0x100: 5, 0x120: 5, 0x140: 5}), set()), 15)

    def test_jumps_enter_a_window_each(self):
        # Goes round nine times.
        loop = execution({0x100: 1, 0x104: 10, 0x108: 10}, jumps=[(0x108, 0x104, 9)])
        self.assertEqual(windows_entered(loop, set()), 10)
        across = execution({0x11c: 10, 0x120: 10}, jumps=[(0x120, 0x11c, 9)])
        self.assertEqual(windows_entered(across, set()), 20)

    def test_returns_enter_one(self):
        run = execution({0x100: 3, 0x105: 3, 0x200: 3}, calls=[(0x100, 0x200, 3)])
        self.assertEqual(windows_entered(run, {0x100}), 9)


def row(metric, ratio, peer=variants.BASELINE, low=None, high=None):
    return Row("never-slower", "p", metric, "count", ratio, peer, 1, ratio, low or ratio,
               high or ratio)


class Verdicts(unittest.TestCase):
    OURS = variants.Variant(variants.OURS, "ours", variants.LAYOUT_ALONE)
    HCO = variants.default(stand_in=False)

    def verdict(self, variant, *rows):
        return never_slower.verdict({(r.metric, r.peer): r for r in rows}, variant)

    def test_time_decides(self):
        control = row("user_time", 1.0, variants.CONTROL, 0.98, 1.02)
        fast = row("user_time", 1.03, low=1.01, high=1.05)
        slow = row("user_time[hco]", 1.05, low=1.03, high=1.07)
        self.assertEqual(self.verdict(self.OURS, control, fast, slow), "not slower")
        self.assertEqual(self.verdict(self.HCO, control, fast, slow), "slower")

    def test_counts_decide_without_times(self):
        self.assertEqual(self.verdict(self.OURS, row("instructions", 1.01),
                                      row("decode_windows", 0.9)), "not slower")
        self.assertEqual(self.verdict(self.OURS, row("instructions", 1.01),
                                      row("decode_windows", 1.01)), "may be slower")

    def test_the_table_has_a_line_for_each_variant(self):
        table = never_slower.verdicts([row("instructions", 0.5), row("instructions[hco]", 0.4)],
                                      {("p", "hco"): "1 of 2"}, [self.OURS, self.HCO])
        lines = table.splitlines()[2:]
        self.assertEqual([line.split(" | ")[1] for line in lines], ["-hco=false", "default"])
        self.assertIn("| 0.4000 |", lines[1])
        self.assertIn("1 of 2", lines[1])

    def test_documents_show_time_only_if_it_was_measured(self):
        counts = [row("instructions", 0.5), row("instructions[hco]", 0.4)]
        times = [row("user_time", 1.0, variants.CONTROL, 0.98, 1.02),
                 row("user_time", 0.9), row("user_time[hco]", 0.8)]
        self.assertEqual(len(never_slower.published(counts)), 1)
        time, count = never_slower.published(counts + times)
        self.assertIn("0.800 [0.800, 0.800]", time)
        self.assertRegex(count.splitlines()[-1], r"geometric mean.* 0\.500 .* 0\.400 ")


if __name__ == "__main__":
    unittest.main()
