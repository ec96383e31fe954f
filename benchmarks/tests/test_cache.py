# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of a cache that several processes share."""

import multiprocessing
import tempfile
import time
import unittest
from pathlib import Path

import context  # noqa: F401
from bench.cache import Cache
from bench.errors import BenchError


class Silent:
    def step(self, text):
        pass


def take_step(root, together):
    cache = Cache(root, Silent())
    product = cache.root / "product"

    def action():
        # Fails if another process is at the step, as apt-get does for a lock that is taken.
        with (cache.root / "busy").open("x"):
            time.sleep(0.05)
        (cache.root / "busy").unlink()
        with (cache.root / "actions").open("a") as actions:
            actions.write("x")
        product.touch()

    together.wait()
    cache.once("step", "key", [product], action)


class Shared(unittest.TestCase):
    def test_one_process_takes_the_step(self):
        fork = multiprocessing.get_context("fork")
        with tempfile.TemporaryDirectory() as root:
            together = fork.Barrier(4)
            processes = [fork.Process(target=take_step, args=(root, together)) for _ in range(4)]
            for process in processes:
                process.start()
            for process in processes:
                process.join()
            self.assertEqual([process.exitcode for process in processes], [0] * 4)
            self.assertEqual((Path(root) / "actions").read_text(), "x")

    def test_a_failed_step_is_taken_again(self):
        with tempfile.TemporaryDirectory() as root:
            cache = Cache(root, Silent())
            with self.assertRaises(BenchError):
                cache.once("step", "key", [cache.root / "product"], lambda: None)
            self.assertTrue(cache.once("step", "key", [], lambda: None))
            self.assertFalse(cache.once("step", "key", [], lambda: None))


if __name__ == "__main__":
    unittest.main()
