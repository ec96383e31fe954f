# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pure parts of family `numa`: what is read of our tables, the verdict."""

import unittest
from types import SimpleNamespace

import context  # noqa: F401
from bench.errors import BenchError
from bench.rows import Row
from families import numa

TABLES = {"tables": [{"name": "latency by node", "columns": ["node", "0", "2"],
                      "rows": [[0, 80.5, 130], [2, 131, 81]]},
                     {"name": "bandwidth of one processor", "columns": ["kernel", "lines", "MB/s"],
                      "rows": [["bw-read", "random, near", 1], ["bw-copy", "ascending", 9]]}]}


def row(metric, ratio):
    return Row("numa", "chase", metric, "ns", ratio, "independent program", 1, ratio, None, None)


class Reading(unittest.TestCase):
    def test_cells(self):
        self.assertEqual(numa.cell(TABLES, "latency by node", "2", 0), 130)
        self.assertEqual(numa.cell(TABLES, "bandwidth of one processor", "MB/s", "bw-copy"), 9)

    def test_no_row(self):
        with self.assertRaisesRegex(BenchError, "no row"):
            numa.cell(TABLES, "latency by node", "0", 1)


class Verdict(unittest.TestCase):
    def test_both_directions_count(self):
        for ratio, verdict in ((1.04, "holds"), (0.96, "holds"), (1.06, "missed"), (0.94, "missed")):
            text = numa.agreement_table([row("latency", ratio), row("latency[A/A]", 1.01)])
            self.assertIn(verdict, text)
            self.assertIn("1.010", text)
            self.assertEqual(len(text.splitlines()), 3)

    def test_rounds_become_pairs(self):
        pairs = numa.Pairs("numa")
        rounds = [{"ours": {"latency": 90.0}, "peer": {"latency": 100.0}, "again": {"latency": 101.0}}] * 3
        numa.compare(pairs, "chase", rounds)
        self.assertEqual([(r.metric, round(r.ratio, 3)) for r in pairs.rows],
                         [("latency", 0.9), ("latency[A/A]", 1.01)])

    def test_every_program_has_subjects(self):
        self.assertEqual(set(numa.SUBJECTS), set(numa.PROGRAMS))


class Running(unittest.TestCase):
    def test_counts_only(self):
        with self.assertRaisesRegex(BenchError, "machine's load"):
            numa.measure(SimpleNamespace(counts_only=True), None)

    def test_unknown_program(self):
        with self.assertRaisesRegex(BenchError, "not 'nothing'"):
            numa.measure(SimpleNamespace(counts_only=False, programs=["nothing"], quick=False), None)


if __name__ == "__main__":
    unittest.main()
