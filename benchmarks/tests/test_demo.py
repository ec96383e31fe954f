# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demonstration: how long it measures, and what it says of what it measured."""

import unittest
from types import SimpleNamespace

import context  # noqa: F401
from bench.rows import Row, exact
from families import demo, variants


class Runs:
    """Programs whose times come from a list, in place of an Experiment."""

    def __init__(self, times):
        self.times = times
        self.subjects = {name: SimpleNamespace(user_times=[])
                         for name in (variants.BASELINE, variants.OURS)}
        self.discarded = 0

    def round(self, number, _):
        if number == 0:
            self.discarded += 1
            return
        self.subjects[variants.BASELINE].user_times.append(1.0)
        self.subjects[variants.OURS].user_times.append(self.times[number % len(self.times)])

    def rounds(self):
        return len(self.subjects[variants.OURS].user_times)


SILENT = SimpleNamespace(tick=lambda text: None)


class Rounds(unittest.TestCase):
    def test_ends_when_all_are_narrow(self):
        steady, varying = Runs([0.95]), Runs([0.9, 1.1])
        demo.time_all([steady, varying], 5, 3600, SILENT)
        self.assertEqual(steady.rounds(), 5)
        self.assertGreater(varying.rounds(), 50)
        self.assertTrue(demo.is_narrow(varying, 5))
        self.assertEqual(varying.discarded, 1)

    def test_ends_when_time_is_over(self):
        varying = Runs([0.5, 2.0])
        demo.time_all([varying], 5, 0, SILENT)
        self.assertEqual(varying.rounds(), 5)


def rows(ratio):
    time = Row("demo", "yaml", "user_time", "s", 0.9, variants.BASELINE, 1.0, ratio, ratio - 0.01,
               ratio + 0.01)
    bolt = Row("demo", "yaml", "user_time[llvm-bolt]", "s", 0.97, variants.BASELINE, 1.0, 0.97,
               0.96, 0.98)
    copy = Row("demo", "yaml", "user_time", "s", 1.0, variants.CONTROL, 1.0, 1.002, 0.99, 1.01)
    return [time, bolt, copy, exact("demo", "yaml", "instructions", 97, variants.BASELINE, 100),
            exact("demo", "yaml", "icache_misses", 40, variants.BASELINE, 100)]


def together(found):
    return {(r.metric, r.peer): (r.ratio, r.ci_low, r.ci_high) for r in found}


class Words(unittest.TestCase):
    def test_a_gain(self):
        found = rows(0.9)
        text = demo.in_words(found, together(found))
        self.assertIn("10.0 % less time than gcc's", text)
        self.assertIn("-11.0 % to -9.0 %", text)
        self.assertIn("llvm-bolt 3.0 % less", text)
        self.assertIn("0.2 % more", text)

    def test_a_loss_is_called_one(self):
        found = rows(1.05)
        self.assertIn("5.0 % more time than gcc's", demo.in_words(found, together(found)))

    def test_a_busy_machine(self):
        found = rows(0.995)
        text = demo.in_words(found, together(found))
        self.assertIn("too busy", text)
        self.assertIn("3.0 % fewer instructions", text)
        self.assertIn("60.0 % fewer misses", text)

    def test_table(self):
        found = rows(0.9)
        table = demo.result_table(found, together(found))
        self.assertIn("-60.0 %", table)
        self.assertEqual(len({len(line) for line in table.splitlines()}), 1)


if __name__ == "__main__":
    unittest.main()
