# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a tarball's tree begins."""

import unittest

import context  # noqa: F401
from bench.sources import wrappers


class Wrappers(unittest.TestCase):
    def test_one_folder(self):
        self.assertEqual(wrappers("a-1/\na-1/x.c\na-1/y/z.c\n"), 1)
        self.assertEqual(wrappers("a-1/x.c\n"), 1)

    def test_none(self):
        self.assertEqual(wrappers("COPYING\nlib/\nlib/x.c\n"), 0)
        self.assertEqual(wrappers("x.c\n"), 0)

    def test_leading_dot(self):
        self.assertEqual(wrappers("./\n./a-1/\n./a-1/x.c\n"), 2)
        self.assertEqual(wrappers("./\n./COPYING\n./lib/x.c\n"), 1)


if __name__ == "__main__":
    unittest.main()
