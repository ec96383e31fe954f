# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of family `hco`, its seam to the optimizer's report, and what it compares."""

import json
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import context  # noqa: F401
from bench.counts import parse
from bench.errors import BenchError
from bench.optimizer import Optimizer
from bench.rows import Row, exact
from families import hco, hco_report, variants
from families.experiment import Experiment


def row(program, metric, peer, ratio, interval=None):
    low, high = interval or (ratio, ratio)
    return Row("hco", program, metric, "count", ratio, peer, 1.0, ratio, low, high)


class Tables(unittest.TestCase):
    def rows(self):
        return [row("a", "instructions[hco]", "graupel", 0.5),
                row("b", "instructions[hco]", "graupel", 2.0),
                row("z", "instructions[hco]", "graupel", 1.02),
                row("a", "training_instructions[hco]", "graupel", 1.001),
                row("a", "user_time[hco]", "graupel", 0.9, (0.8, 1.0)),
                row("a", "user_time", "A/A", 1.0, (0.99, 1.01))]

    def test_mean_of_call_intensive_programs(self):
        text = "\n".join(hco_report.markdown(self.rows(), ["a", "b"]))
        mean = next(line for line in text.splitlines() if line.startswith("| mean"))
        self.assertIn("1.0000", mean)
        self.assertIn("| z ", text)

    def test_intervals(self):
        text = "\n".join(hco_report.markdown(self.rows(), ["a"]))
        self.assertIn("0.900 [0.800, 1.000]", text)
        self.assertIn("1.000 [0.990, 1.010]", text)

    def test_columns_without_rows_are_left_out(self):
        parts = hco_report.markdown([row("a", "code_size[hco]", "graupel", 1.1)], ["a"])
        text = "\n".join(parts)
        self.assertIn("code", text)
        self.assertNotIn("Path length", text)
        self.assertNotIn("User time", text)
        self.assertNotIn("optimized procedures", text)

    def test_what_got_longer(self):
        self.assertEqual(hco_report.longer(self.rows(), "training_instructions"), ["a (1.0010)"])
        self.assertEqual(hco_report.longer(self.rows(), "instructions", 1.01),
                         ["b (2.0000)", "z (1.0200)"])


class Report(unittest.TestCase):
    def growth(self, text):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "hco.json"
            if text is not None:
                path.write_text(text)
            return hco_report.growth_of(path)

    def test_growth(self):
        said = {"growth": {"original_bytes": 100, "hot_bytes": 60, "cold_bytes": 70,
                           "stub_bytes": 5}}
        growth = self.growth(json.dumps(said))
        self.assertEqual((growth.before, growth.after), (100, 135))

    def test_none(self):
        self.assertIsNone(self.growth(None))
        said = {"growth": {"original_bytes": 0, "hot_bytes": 0, "cold_bytes": 0, "stub_bytes": 0}}
        self.assertIsNone(self.growth(json.dumps(said)))

    def test_nonsense(self):
        for text in ("", "{}", '{"growth": 1}', '{"growth": {"original_bytes": 1}}'):
            with self.assertRaises(BenchError):
                self.growth(text)


class Columns(unittest.TestCase):
    def names(self, peers):
        columns = variants.hot_cold(stand_in=False)
        experiment = Experiment.__new__(Experiment)
        experiment.peers = peers
        experiment.subjects = {v.name: SimpleNamespace(variant=v) for v in columns}
        return [(s.variant.name, p.variant.name) for s, p in experiment._pairs()]

    def test_pairs(self):
        self.assertEqual(self.names(hco.PEERS), [
            ("llvm-bolt", "baseline"), ("llvm-bolt-paths", "baseline"),
            ("graupel", "baseline"), ("graupel", "llvm-bolt-paths"),
            ("hco", "baseline"), ("hco", "llvm-bolt-paths"), ("hco", "graupel")])

    def test_every_table_column_is_measured(self):
        pairs = self.names(hco.PEERS)
        for _, columns in hco_report.TITLES:
            for column, _, peer in columns.values():
                self.assertIn((column, peer), [*pairs, (variants.OURS, variants.CONTROL)])

    def test_stand_in_knows_no_hco(self):
        flags = [f for v in variants.hot_cold(stand_in=True) for f in v.flags]
        self.assertNotIn("-hco", flags)


class Tools(unittest.TestCase):
    def test_knows(self):
        with tempfile.TemporaryDirectory() as directory:
            tool = Path(directory) / "tool"
            tool.write_text("#!/bin/sh\necho '  --hco     - text'\n"
                            "echo '  --hco-report=<string> - x --no'\n")
            tool.chmod(0o755)
            optimizer = Optimizer(tool)
            self.assertTrue(optimizer.knows("hco"))
            self.assertTrue(optimizer.knows("hco-report"))
            self.assertFalse(optimizer.knows("hco-rep"))
            self.assertFalse(optimizer.knows("no"))

    def test_counts_without_caches(self):
        text = "==1== I refs:        1,234\n"
        self.assertEqual(parse(text, simulate_caches=False).instructions, 1234)
        with self.assertRaises(BenchError):
            parse(text)

    def test_units(self):
        for metric in ("training_instructions[hco]", "procedure_size[hco]", "code_size"):
            self.assertEqual(exact("hco", "a", metric, 2, "graupel", 1).ratio, 2)


if __name__ == "__main__":
    unittest.main()
