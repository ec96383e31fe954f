# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pure parts of family `environment`: verdicts."""

import unittest

import context  # noqa: F401
from bench.rows import Row
from families import environment
from families.environment_starts import Starts


def row(metric, peer, ratio):
    return Row("environment", "feed", metric, "count", ratio, peer, 1, ratio, ratio, ratio)


class Verdicts(unittest.TestCase):
    def test_within_a_percent_of_the_route_by_hand(self):
        for ratio, verdict in ((1.0, "holds"), (1.009, "holds"), (1.011, "missed"), (0.98, "holds")):
            text = environment.verdicts([row("instructions", "by hand", ratio),
                                         row("instructions", "baseline", 0.9)], {})
            self.assertIn(verdict, text)
            self.assertIn("0.9000", text)
            self.assertEqual(len(text.splitlines()), 3)

    def test_controls_are_no_figures(self):
        text = environment.verdicts([row("cpu_time", "by hand", 1.0), row("cpu_time", "baseline", 0.9),
                                     row("cpu_time[A/A]", "by hand", 1.03),
                                     row("cpu_time[A/A]", "baseline", 1.04)], {})
        self.assertEqual(len(text.splitlines()), 3)
        self.assertIn("1.0300", text)

    def test_code_of_each_image(self):
        self.assertIn("holds", environment.verdicts([], {"feed": (5, 5)}))
        self.assertIn("missed", environment.verdicts([], {"feed": (4, 5)}))


class StartCosts(unittest.TestCase):
    def test_a_start_has_15_ms(self):
        for extra, verdict in ((14000, "holds"), (16000, "missed")):
            found = Starts.verdict("start", "", [500 + extra] * 5, [500] * 5, [501] * 5)
            self.assertEqual(found[-1], verdict)
            self.assertEqual(found[4], f"+{extra} us")

    def test_inside_only_noise(self):
        peer, again = [500] * 10, [500 + n for n in range(10)]
        for extra, verdict in ((8, "holds"), (20, "missed")):
            found = Starts.verdict("process inside", "", [500 + extra] * 10, peer, again)
            self.assertEqual(found[-1], verdict)


if __name__ == "__main__":
    unittest.main()
