# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pure parts of family `stride`: findings, tables, what programs print, the stand-in compilers."""

import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import context  # noqa: F401
from bench.cache import Cache
from bench.errors import BenchError, OutputMismatch
from bench.rows import Row
from families import stride, stride_cases, stride_cost, stride_programs, stride_report, stride_spmv
from families.pairs import Pairs
from families.stride_build import HERE, Builder


def stream(name, kind, *histograms, element_bytes=8, references=100):
    bins = [*histograms, *({} for _ in range(5 - len(histograms)))]
    return {"object": name, "kind": kind, "element_bytes": element_bytes, "references": references,
            "misses": [7, 3],
            "histograms": [{"lag": n, "bins": b} for n, b in enumerate(bins, 1)]}


def row(metric, program, ratio, value=1.0, peer="not recorded"):
    return Row("stride", program, metric, "s", value, peer, value / ratio, ratio, ratio, ratio)


class Findings(unittest.TestCase):
    STREAMS = stride_spmv.Streams({"streams": [
        stream("/matrix/colstr", "load", {"0": 50, "4": 50}, element_bytes=4),
        stream("YTEMP", "load", {"8": 75, ">=32768": 25}, {">=32768": 25})]})

    def test_fortran_and_c_have_the_same_names(self):
        self.assertEqual(self.STREAMS.elements("COLSTR", "load", 0), 50)
        self.assertEqual(self.STREAMS.elements("COLSTR", "load", 1), 50)
        self.assertEqual(self.STREAMS.share("YTEMP", "load", 2, ">=32768"), 25)
        self.assertEqual(self.STREAMS.later("YTEMP", "load"), 25)

    def test_an_array_that_is_gone(self):
        self.assertIsNone(self.STREAMS.elements("YTEMP", "store", 1))
        self.assertEqual(stride_spmv.percent(None), "-")

    def test_totals(self):
        self.assertEqual((self.STREAMS.references(), self.STREAMS.misses()), (200, 6))

    def test_table_has_a_line_for_each_finding(self):
        found = {(v, m): self.STREAMS for v in stride_spmv.VARIANTS for m in (False, True)}
        text = stride_spmv.findings_table(found)
        for finding in stride_spmv.FINDINGS:
            self.assertIn(f"| {finding.array} {finding.kind}s", text)
        reasons = {f.today for f in stride_spmv.FINDINGS if f.today}
        self.assertEqual(len(reasons), sum(line[:1].isdigit() for line in text.splitlines()))


class Reporting(unittest.TestCase):
    def test_published_misses(self):
        text = stride_report.misses_table([row("misses, n = 14000", "spmv C", 0.5, 100)])
        self.assertIn("2,986,101 | 2,784,013 | -6.8 %", " ".join(text.split()))
        self.assertIn("-50.0 %", text)
        self.assertEqual(stride_report.misses_table([]), "")

    def test_bars(self):
        rows = [row("time[exact]", "lua", 4), row("time[exact]", "zstd", 1),
                row("time of a fixed program", "counters", 0.9),
                row("time of a fixed program", "neighbor", 0.4)]
        lines = stride_report.bars_table(rows).splitlines()
        mean = next(line for line in lines if line.startswith("| whole programs"))
        self.assertIn("2.00", mean)
        self.assertIn("holds", mean)
        self.assertTrue(any("4.00 lua" in line for line in lines))
        self.assertIn("0.40", lines[-1])
        self.assertIn("missed", stride_report.bars_table([row("time[sampled]", "lua", 1.5)]))

    def test_no_metric_of_a_bar_is_unknown(self):
        made = {f"time[{m}]" for m in [*stride_cost.MODES, "A/A"]}
        made |= {f"memory[{m}]" for m in stride_cost.MODES}
        made |= {f"time of a small input{p}" for p in ["", *(f"[{t}]" for t in stride_cost.PEERS)]}
        made |= {f"{k} loops[{m}]" for k in stride_programs.KERNELS for m in ("exact", "A/A")}
        made.add("time of a fixed program")
        self.assertEqual({bar.metric for bar in stride_report.BARS} - made, set())


class Running(unittest.TestCase):
    def test_kernel_times(self):
        self.assertEqual(stride_programs.kernel_times("ijk 1200\ngather-near      5\nother text\n"),
                         {"ijk": 1200.0, "gather-near": 5.0})

    def test_results_must_be_the_same(self):
        stride_cost.require_same("x", [(1, 2, "a"), (3, 4, "a")])
        with self.assertRaises(OutputMismatch):
            stride_cost.require_same("x", [(1, 2, "a"), (3, 4, "b")])

    def test_pairs(self):
        pairs = Pairs("stride")
        pairs.pair("lua", "time[exact]", "s", [2, 4], "not recorded", [1, 2])
        pairs.exact("spmv", "misses", "count", 1, "original", 2)
        self.assertEqual([r.ratio for r in pairs.rows], [2, 0.5])
        self.assertEqual(pairs.combined()["time[exact]", "not recorded"][0], 2)

    def test_unknown_program(self):
        with self.assertRaisesRegex(BenchError, "not 'nothing'"):
            stride.measure(SimpleNamespace(programs=["nothing"], quick=False), None)

    def test_quick_is_a_part(self):
        self.assertLess(set(stride.QUICK), set(stride.PROGRAMS))
        self.assertEqual(set(stride_programs.SHRUNK), set(stride_programs.PARALLEL))


class Inputs(unittest.TestCase):
    def test_distances_are_symmetric_and_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "distances"
            state = random.getstate()
            stride_cases.distances(path, 5)
            text = path.read_text()
            stride_cases.distances(path, 5)
            self.assertEqual(path.read_text(), text)
            self.assertEqual(random.getstate(), state)
        rows = [line[10:].split() for line in text.splitlines()[1:]]
        self.assertEqual(rows, [list(column) for column in zip(*rows)])
        self.assertEqual([rows[n][n] for n in range(5)], ["0.00000"] * 5)

    def test_patch_applies_to_nothing_else(self):
        patch = (HERE / "cases" / "neighbor.patch").read_text()
        self.assertEqual(patch.count("+++ "), 1)


class StandIns(unittest.TestCase):
    def test_what_recipes_say_to_gcc(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            for name in ("share/graupel/graupel-stride.cfg", "bin/graupel",
                         "lib/libgraupel-stride.so"):
                (folder / "build" / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / "build" / name).touch()
            progress = SimpleNamespace(step=lambda text: None, tick=lambda text: None)
            builder = Builder(folder / "build", Cache(folder / "cache", progress), progress)
            script = builder.stand_ins("plain") / "gcc"
            text = script.read_text()
            last = text.splitlines()[-1]
            script.write_text(text.replace(last, 'printf "%s\\n" "$@"'))
            out = subprocess.run([script, "-O2", "-g0", "-Wl,--emit-relocs", "a b.c", "-lm"],
                                 check=True, stdout=subprocess.PIPE, text=True).stdout
            self.assertEqual(out.splitlines(), ["a b.c", "-lm"])
            self.assertIn("'-O3' '-g'", last)

    def test_without_a_build(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(BenchError, "build Graupel first"):
                Builder(Path(folder), None, None)


if __name__ == "__main__":
    unittest.main()
