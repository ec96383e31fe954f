# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Published figures: documents are made from JSON, and nothing else."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import context  # noqa: F401  (sets the path)
from bench import publish
from bench.errors import BenchError
from bench.rows import exact


class Family:
    """One with nothing of its own."""
    CODE = ("code",)


FAMILIES = {"some": Family}


class Published(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        # Temporary files may be in a checkout.
        outside = mock.patch.dict(os.environ, GIT_CEILING_DIRECTORIES=str(self.root.parent))
        outside.start()
        self.addCleanup(outside.stop)
        (self.root / "docs" / "results").mkdir(parents=True)
        self.document = self.root / "docs" / "results" / "some.md"
        self.write_document("")

    def write_document(self, between, name="some"):
        self.document.write_text(f"# Some\n\n<!-- published {name} -->\n{between}"
                                 "<!-- end published -->\n\nMore.\n", encoding="utf-8")

    def publish(self, value, commit="12345678"):
        rows = [exact("some", "one", "instructions", value, "baseline", 100),
                exact("some", "two", "instructions", 50, "baseline", 100)]
        publish.Publication("some", "some", "benchmarks/run.py some", commit, "2026-11-28", "a processor",
                            rows).write(self.root)

    def test_documents_are_written_from_what_was_measured(self):
        self.publish(80)
        self.assertEqual(publish.fill(self.root, FAMILIES), [self.document])
        text = self.document.read_text(encoding="utf-8")
        self.assertIn("Build 12345678, 2026-11-28, a processor:\n\n    benchmarks/run.py some\n", text)
        self.assertIn("0.8000", text)
        self.assertIn("0.6325", text)  # The geometric mean.
        self.assertTrue(text.endswith("\n\nMore.\n"))
        self.assertEqual(publish.faults(self.root, FAMILIES), [])
        self.assertEqual(publish.fill(self.root, FAMILIES), [])

    def test_a_figure_that_was_typed_is_found(self):
        self.publish(80)
        publish.fill(self.root, FAMILIES)
        text = self.document.read_text(encoding="utf-8")
        self.document.write_text(text.replace("0.8000", "0.7000"), encoding="utf-8")
        self.assertIn("is not what", publish.faults(self.root, FAMILIES)[0])

    def test_figures_without_a_document_are_found_and_the_reverse(self):
        self.write_document("", name="other")
        self.publish(80)
        found = publish.faults(self.root, FAMILIES)
        self.assertIn("other.json is missing", found[0])
        self.assertIn("no document shows it", found[1])
        with self.assertRaises(BenchError):
            publish.fill(self.root, FAMILIES)

    def test_damaged_figures_are_an_error(self):
        self.publish(80)
        (self.root / publish.DATA / "some.json").write_text("{}", encoding="utf-8")
        with self.assertRaises(BenchError):
            publish.faults(self.root, FAMILIES)

    def git(self, *arguments):
        subprocess.run(["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a@b",
                        *arguments], check=True, capture_output=True)

    def commit(self, name):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(path.read_text(encoding="utf-8") + "x" if path.exists() else "", encoding="utf-8")
        self.git("add", name)
        self.git("commit", "-m", name)

    def test_figures_that_are_older_than_the_code_are_named(self):
        self.git("init", "-q")
        self.commit("code/a")
        self.publish(80, commit=publish.commit_of(self.root).rstrip("+"))
        self.commit("elsewhere/b")
        self.assertEqual(publish.stale(self.root, FAMILIES), [])
        self.commit("code/a")
        self.assertEqual(publish.stale(self.root, FAMILIES), ["some: 1 later commits change code"])

    def test_a_checkout_without_git_publishes_nothing(self):
        with self.assertRaises(BenchError):
            publish.commit_of(self.root)


class Repository(unittest.TestCase):
    def test_what_is_in_the_documents_was_measured(self):
        root = Path(__file__).resolve().parents[2]
        import families
        self.assertEqual(publish.faults(root, families.registry()), [])


if __name__ == "__main__":
    unittest.main()
