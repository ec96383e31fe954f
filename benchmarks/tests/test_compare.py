# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py: what fails, what does not, and that broken input is an error, not a pass."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401
import compare

UNITS = {"instructions": "count", "user_time": "s", "optimizer_peak_memory": "kB",
         "output_size": "bytes", "survival": "share", "misses, n = 5": "count",
         "check instructions, geometric mean": "ratio"}


def row(metric="instructions", value=900, peer="baseline", peer_value=1000, program="lua"):
    ratio = value / peer_value
    return {"benchmark": "ci", "program": program, "metric": metric,
            "unit": UNITS[metric.partition("[")[0]], "value": value, "peer": peer,
            "peer_value": peer_value, "ratio": ratio, "ci_low": ratio, "ci_high": ratio}


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def compare(self, old, new, *options, declared=""):
        """(status, output) of a comparison."""
        out = io.StringIO()
        arguments = [self.file("old.json", old), self.file("new.json", new),
                     "--declared", self.file("declared.txt", declared), *options]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = compare.main(arguments)
        return status, out.getvalue()

    def test_same(self):
        status, text = self.compare([row()], [row()])
        self.assertEqual(status, 0)
        self.assertIn("unchanged: 1", text)

    def test_small_growth_passes_and_large_fails(self):
        self.assertEqual(self.compare([row(value=1000)], [row(value=1009)])[0], 0)
        status, text = self.compare([row(value=1000)], [row(value=1011)])
        self.assertEqual(status, 1)
        self.assertIn("REGRESSION", text)
        self.assertEqual(self.compare([row(value=1000)], [row(value=1011)],
                                      "--fail-over", "2")[0], 0)

    def test_a_bar_holds_whatever_the_baseline_is(self):
        metric = "check instructions, geometric mean"
        below, above = (row(metric, v, "uninstrumented", 1, "ports") for v in (1.149, 1.151))
        self.assertEqual(self.compare([below], [below])[0], 0)
        for old in (below, above):
            status, text = self.compare([old], [above])
            self.assertEqual(status, 1)
            self.assertIn("ports check instructions, geometric mean is 1.1510, above its bar of 1.15",
                          text)

    def test_less_survival_is_worse(self):
        more, less = (row("survival", v, "llvm-bolt", 1) for v in (0.9, 0.8))
        self.assertEqual(self.compare([less], [more])[0], 0)
        self.assertEqual(self.compare([more], [less])[0], 1)

    def test_programs_without_checks_are_baselines(self):
        old, new = (row("misses, n = 5", 1000, "original", v) for v in (1000, 900))
        status, text = self.compare([old], [new])
        self.assertEqual(status, 1)
        self.assertIn("+11.11 %", text)
        self.assertEqual(self.compare([old], [new], declared="lua misses, n = 5: known")[0], 0)

    def test_variants_are_judged_too(self):
        old, new = row("output_size[spike]", 1000), row("output_size[spike]", 1100)
        self.assertEqual(self.compare([old], [new])[0], 1)

    def test_baseline_that_moved_alike_is_no_regression(self):
        old, new = row(value=900, peer_value=1000), row(value=990, peer_value=1100)
        self.assertEqual(self.compare([old], [new])[0], 0)

    def test_the_peers_own_progress_is_no_regression(self):
        old = [row(), row(peer="llvm-bolt", peer_value=900)]
        new = [row(), row(peer="llvm-bolt", peer_value=450)]
        self.assertEqual(self.compare(old, new)[0], 0)

    def test_memory_has_its_own_tolerance(self):
        def memory(value):
            return [row("optimizer_peak_memory", value, "llvm-bolt")]
        self.assertEqual(self.compare(memory(1000), memory(1040))[0], 0)
        self.assertEqual(self.compare(memory(1000), memory(1060))[0], 1)

    def test_time_never_fails(self):
        status, text = self.compare([row("user_time", 1)], [row("user_time", 2)])
        self.assertEqual(status, 0)
        self.assertIn("not judged", text)

    def test_declared_regression_passes_and_idle_declaration_is_noted(self):
        status, text = self.compare([row(value=1000)], [row(value=1100)],
                                    declared="lua instructions: trades for misses\n")
        self.assertEqual(status, 0)
        self.assertIn("trades for misses", text)
        status, text = self.compare([row()], [row()], declared="lua instructions: old news\n")
        self.assertEqual(status, 0)
        self.assertIn("declared but not regressed: lua instructions", text)

    def test_declaration_without_reason_is_an_error(self):
        for line in ("lua instructions\n", "lua instructions:\n", "lua: because\n"):
            self.assertEqual(self.compare([row()], [row()], declared=line)[0], 1)

    def test_sorted_worst_first(self):
        old = [row(program=p, value=1000) for p in ("a", "b", "c")]
        new = [row(program="a", value=1002), row(program="b", value=1008),
               row(program="c", value=900)]
        text = self.compare(old, new)[1]
        self.assertLess(text.index("b instructions"), text.index("a instructions"))
        self.assertLess(text.index("a instructions"), text.index("c instructions"))

    def test_missing_row_is_an_error(self):
        status, text = self.compare([row(), row("output_size")], [row()])
        self.assertEqual(status, 1)
        self.assertIn("missing", text)

    def test_new_row_is_only_noted(self):
        status, text = self.compare([row()], [row(), row("output_size")])
        self.assertEqual(status, 0)
        self.assertIn("only in the new results", text)

    def test_malformed_input_is_an_error(self):
        bad_field = row()
        bad_field["value"] = "900"
        no_field = row()
        del no_field["ci_low"]
        for content in ("", "{", "{}", "[]", "[1]", [bad_field], [no_field]):
            with self.subTest(content=content):
                self.assertEqual(self.compare(content, [row()])[0], 1)
        self.assertEqual(compare_quietly(["/nonexistent", "/nonexistent"]), 1)

    def test_usage(self):
        for arguments in ([], ["only-one"], ["a", "b", "--fail-over", "-1"]):
            with self.assertRaises(SystemExit) as stop:
                compare_quietly(arguments)
            self.assertEqual(stop.exception.code, 2)


def compare_quietly(arguments):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return compare.main(arguments)


if __name__ == "__main__":
    unittest.main()
