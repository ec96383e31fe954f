# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Aliases: of one length, of the right folder, and nobody else's."""

import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401
from bench.alias import alias
from bench.errors import BenchError


class Aliases(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)
        self.folders = [self.place / "a", self.place / "much longer"]
        for each in self.folders:
            each.mkdir()

    def test_lengths_are_the_same(self):
        links = [alias(each, self.place) for each in self.folders]
        self.assertEqual(len(str(links[0])), len(str(links[1])))
        self.assertEqual([link.resolve() for link in links],
                         [each.resolve() for each in self.folders])
        self.assertEqual(alias(self.folders[0], self.place), links[0])

    def test_another_link_is_an_error(self):
        link = alias(self.folders[0], self.place)
        link.unlink()
        link.symlink_to(self.folders[1])
        with self.assertRaises(BenchError):
            alias(self.folders[0], self.place)


if __name__ == "__main__":
    unittest.main()
