# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `persistence`: reading counts and comparing them."""

import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401
from bench import boltyaml
from families import persistence

TEXT = """---
functions:
  - name:            'f/1'
    exec:            10
    blocks:
      - bid:             0
        insns:           4
        exec:            10
        succ:            [ { bid: 1, cnt: 7 }, { bid: 2, cnt: 3 } ]
      - bid:             1
        insns:           2
        calls:           [ { off: 0x4, fid: 3, cnt: 7 } ]
        succ:            [ { bid: 2, cnt: 7, mis: 1 } ]
...
"""


class BoltYaml(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "profile.yaml"
            path.write_text(TEXT)
            self.counts = boltyaml.read(path)

    def test_blocks_without_counts_have_those_of_their_branches(self):
        self.assertEqual(self.counts.blocks, {("f/1", 0): 10, ("f/1", 1): 7, ("f/1", 2): 10})
        self.assertEqual(self.counts.edges[("f/1", 1), ("f/1", 2)], 7)

    def test_executed(self):
        self.assertEqual(self.counts.executed({("f/1", 0): 4, ("f/1", 1): 2}),
                         {("f/1", 0): 40, ("f/1", 1): 14, ("f/1", 2): 10})

    def test_renamed(self):
        self.assertIn(("g", 1), self.counts.renamed({"f/1": "g"}).blocks)

    def test_overlap(self):
        self.assertEqual(boltyaml.overlap({"a": 1, "b": 1}, {"a": 5, "b": 5}), 1)
        self.assertEqual(boltyaml.overlap({"a": 1}, {"b": 5}), 0)
        self.assertEqual(boltyaml.overlap({"a": 3, "c": 1}, {"a": 1, "b": 3}), 0.25)
        self.assertEqual(boltyaml.overlap({}, {"a": 1}), 0)


class Kept(unittest.TestCase):
    def setUp(self):
        jumps = (100, 80, 79, 85, 110)
        misses = (5, 4, 5, 3, 6)
        self.simulated = {column: {"jumps": j, "misses": m, "cycles": 1000 - m}
                          for column, j, m in zip(persistence.COLUMNS, jumps, misses)}

    def test_share_of_the_better_gain(self):
        self.assertEqual(persistence.kept(self.simulated, "ours", "jumps"), 15 / 21)

    def test_a_loss_keeps_nothing(self):
        self.assertEqual(persistence.kept(self.simulated, "bolt", "jumps"), 0)

    def test_no_gain_no_share(self):
        self.assertIsNone(persistence.kept(self.simulated, "ours", "cycles"))

    def test_chance_is_no_gain(self):
        self.assertIsNone(persistence.kept(self.simulated, "ours", "misses"))


if __name__ == "__main__":
    unittest.main()
