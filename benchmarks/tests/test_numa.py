# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pure parts of family `numa`: what is read of our tables, the verdict."""

import unittest
from pathlib import Path
from types import SimpleNamespace

import context  # noqa: F401
from bench.errors import BenchError
from bench.rows import Row
from families import numa, numa_traffic

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
        self.assertEqual(set(numa.SUBJECTS), set(numa.BENCH))


class Running(unittest.TestCase):
    def test_counts_only(self):
        options = SimpleNamespace(counts_only=True, programs=["chase"], quick=False, rounds=None,
                                  build=Path("/nonexistent"))
        with self.assertRaisesRegex(BenchError, "build Graupel first"):
            numa.measure(options, SimpleNamespace(cache=None, progress=None))

    def test_unknown_program(self):
        with self.assertRaisesRegex(BenchError, "not 'nothing'"):
            numa.measure(SimpleNamespace(counts_only=False, programs=["nothing"], quick=False), None)



def profile(*objects):
    """Of (name, first thread, {thread: bytes}) of a page each."""
    return {"objects": [{"object": name, "kind": "heap", "pages": [
        {"first": first, "by": [[thread, amount, 0] for thread, amount in by.items()]}]}
        for name, first, by in objects]}


class Traffic(unittest.TestCase):
    def test_threads_are_on_nodes_in_turn(self):
        data = profile(("a", 1, {0: 10, 1: 20, 2: 30, 3: 40}))["objects"]
        self.assertEqual(numa_traffic.remote_share(data, 2), (40, 100))
        self.assertEqual(numa_traffic.remote_share(data, 4), (80, 100))
        self.assertEqual(numa_traffic.remote_share([], 4), (0, 0))

    def test_differences(self):
        exact = profile(("a", 0, {0: 500, 1: 500}), ("b", 0, {1: 500}), ("little", 0, {0: 5}))
        ours = profile(("a", 0, {0: 500, 1: 500}), ("b", 1, {1: 500}), ("little", 0, {1: 5}))
        found = numa_traffic.differences(ours, exact, 2)
        self.assertAlmostEqual(found["right"], 100 * 1000 / 1505)
        self.assertAlmostEqual(found["off"], 100 * 495 / 1505)
        self.assertEqual((found["worst"], found["where"]), (100, "b"))
        self.assertEqual(found["bytes"], 0)

    def test_what_has_one_name_is_one_datum(self):
        exact = profile(("a", 0, {0: 5}), ("a", 0, {1: 5}))
        ours = profile(("a", 0, {1: 5}), ("a", 0, {0: 5}))
        self.assertEqual(numa_traffic.differences(ours, exact, 2)["worst"], 0)

    def test_rows_are_the_worst_of_the_samples(self):
        def off(points):
            return {"off": points, "right": 40}
        rows = numa_traffic.count_rows("a", {2: ([off(1), off(6), off(2)], off(0))})
        self.assertEqual([(r.value, r.ratio) for r in rows], [(40, 0.4), (6, 2), (0, 0)])

    def test_nobody_is_nearer_than_the_program_to_itself(self):
        self.assertEqual([numa_traffic.verdict(*pair) for pair in ((3, 0), (4, 1), (4, 2))],
                         ["holds", "missed", "its own runs differ"])


if __name__ == "__main__":
    unittest.main()
