# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pure parts of family `dsm`: what programs print, pairing, and the table of targets."""

import unittest
from types import SimpleNamespace

import context  # noqa: F401
from bench.errors import BenchError, OutputMismatch
from bench.rows import Row
from families import dsm, dsm_checks, dsm_misses, dsm_nodes, dsm_output, dsm_report, dsm_session
from families.dsm_build import ABLATIONS, CHECKS, MICRO, MICRO_FOLDER, PORTS, PROGRAMS


def row(metric, program, ratio, value=1.0, peer="uninstrumented"):
    return Row("dsm", program, metric, "s", value, peer, value / ratio, ratio, ratio, ratio)


class Output(unittest.TestCase):
    TEXT = ("result: em3d nodes=4096 sum 1.5\n"
            "messages: control 300 data 100 bytes 6400 load-faults 7 store-faults 9\n"
            "time: 0.250000\nprocessor time: 0.125000\nverify: ok\n")

    def test_program(self):
        run = dsm_output.program(self.TEXT)
        self.assertEqual(run.result, "em3d nodes=4096 sum 1.5")
        self.assertEqual((run.time, run.processor_time), (0.25, 0.125))
        self.assertEqual(run.messages["control"], 300)
        self.assertEqual(run.messages["store-faults"], 9)

    def test_one_node_sends_nothing(self):
        run = dsm_output.program("result: r\ntime: 1\nprocessor time: 2\n")
        self.assertEqual(run.messages, {})

    def test_missing_and_double_lines(self):
        for text in ("result: r\ntime: 1\n", self.TEXT + "time: 0.1\n", ""):
            with self.assertRaises(BenchError):
                dsm_output.program(text)

    def test_figures(self):
        text = ("read 64: 0.512 us p10 0.401 p90 0.733\nround trip 4096: 1.5 us p10 1 p90 2\n"
                "contended lock: 2.25 us\nfalse match: -0.10 ns\n"
                "bandwidth 128: 210.5 MB/s checksum 1\nanything else\nwarning: 3 things\n"
                "downgrade, a thread running: 95 ns p10 1 p90 2\nset aside: 0 messages\n")
        self.assertEqual(dsm_output.figures(text), {
            "read 64": 0.512, "round trip 4096": 1.5, "contended lock": 2.25,
            "false match": -0.1, "bandwidth 128": 210.5,
            "downgrade, a thread running": 95.0, "set aside": 0.0})

    def test_streams(self):
        self.assertEqual(dsm_output.streams("axpy 0.162 ns checksum 26.5\nmatmul-l1 2 ns checksum 1\n"),
                         {"axpy": (0.162, "26.5"), "matmul-l1": (2.0, "1")})

    def test_need_names_what_there_is(self):
        with self.assertRaisesRegex(BenchError, "barrier"):
            dsm_output.need({"barrier": 1}, "lock")


class Measuring(unittest.TestCase):
    def test_rounds_rotate_and_the_first_is_discarded(self):
        order = []
        found = dsm_session.interleaved(2, {name: lambda name=name: order.append(name) or len(order)
                                    for name in "ab"})
        self.assertEqual(order, ["a", "b", "b", "a", "a", "b"])
        self.assertEqual(found, [{"b": 3, "a": 4}, {"a": 5, "b": 6}])

    def test_results_must_agree(self):
        same, other = dsm_output.Run("x", 1, 1), dsm_output.Run("y", 1, 1)
        dsm_session.require_same(PROGRAMS["lu"], [same, same])
        with self.assertRaises(OutputMismatch):
            dsm_session.require_same(PROGRAMS["lu"], [same, other])

    def test_sources_exist(self):
        self.assertEqual(len(PROGRAMS), 9)
        for program in PROGRAMS.values():
            self.assertTrue(program.source.exists(), program.source)
        for port in PORTS.values():
            self.assertTrue(port.source.exists(), port.name)
        for name in MICRO:
            self.assertTrue((MICRO_FOLDER / f"{name}.c").exists(), name)

    def test_ablations_are_kinds_of_checks(self):
        self.assertLessEqual(set(ABLATIONS), set(CHECKS))

    def test_every_program_of_the_family_is_known(self):
        self.assertEqual(dsm.PROGRAMS, [*PROGRAMS, *PORTS, *MICRO])
        self.assertLessEqual(set(dsm_nodes.TRAFFIC_PROGRAMS), set(PROGRAMS))


class Lengths(unittest.TestCase):
    LISTING = """
checks.o:     file format elf64-x86-64

0000000000000000 <load_word>:
   0:\ttest   $0x4d534447,%eax
   0:\tmov    %rdi,%rax
   3:\tshr    $0x5,%rax
   7:\ttestb  $0x80,%gs:(%rax)
   b:\tjne    11 <load_word+0x11>
   d:\tmov    (%rdi),%rax
  10:\tret
  11:\tpush   %rax
  17:\tcall   *0x0(%rip)        # 1d <load_word+0x1d>
  24:\tret

0000000000000030 <slow>:
  30:\tpush   %rax
  38:\tcall   *(%rcx,%rax,8)
  3f:\tret

0000000000000000 <graupel_dsm_load.stub>:
   0:\tjmp    *0x0(%rip)        # 6 <graupel_dsm_load.stub+0x6>
"""

    def test_what_runs_if_all_is_valid(self):
        self.assertEqual(dsm_checks.hot_path(self.LISTING), {"load_word": 6, "slow": 4})

    def test_code_that_cannot_be_counted(self):
        for text in ("jmp    8 <load_word+8>", "call   10 <other>"):
            with self.assertRaises(BenchError):
                dsm_checks.hot_path(self.LISTING.replace("mov    %rdi,%rax", text))


class Polls(unittest.TestCase):
    def test_quantiles(self):
        histogram = [[8, 10, 1], [0, 1, 98], [4, 5, 1]]
        self.assertEqual(dsm_nodes.quantile(histogram, 0.5), 1)
        self.assertEqual(dsm_nodes.quantile(histogram, 0.99), 5)
        self.assertEqual(dsm_nodes.quantile(histogram, 1), 10)
        with self.assertRaises(BenchError):
            dsm_nodes.quantile([], 0.5)

    def test_nodes_are_merged(self):
        self.assertEqual(sorted(dsm_nodes.merged([[[0, 1, 2]], [[0, 1, 3], [4, 5, 1]]])),
                         [[0, 1, 5], [4, 5, 1]])

    def test_table(self):
        text = dsm_nodes.interval_table({"lu": [[80, 96, 3], [2000, 2500, 1]]})
        self.assertRegex(text, r"lu +\| +4 \| +75.0 \| +75.0 \| +75.0 \| +100.0 ")


class Canned(dsm_session.Session):
    """Prints what it is told to, whatever program runs."""

    def __init__(self, printed):
        self.benchmark = "dsm"
        self.printed, self.rows, self.samples = printed, [], {}
        self.builder = SimpleNamespace(launcher="graupel", peer=lambda: "ucx_pingpong",
                                       executable=lambda source, kind: source.stem)
        self.context = SimpleNamespace(notes=[])

    def step(self, text):
        pass

    def output(self, argv, what, **environment):
        return "".join(self.printed[str(a)] for a in argv if str(a) in self.printed)


class Misses(unittest.TestCase):
    FAULT = ("fault: 100 ns\npage trap: 4000 ns\nload: 1 ns\nmatching load: 5 ns\n"
             "downgrade: 20 ns\nprotect: 1000 ns\n"
             "downgrade, a thread running: 50 ns\nprotect, a thread running: 1500 ns\n")
    REMOTE = "".join(f"{kind} {size}: 0.6 us p10 0.5 p90 0.7\n" for kind in
                     ("read", "write", "upgrade") for size in (64, 128)) + (
        "barrier: 1 us\nlock: 1 us\ncontended lock: 1 us\nfetch-and-add: 1 us\n"
        "bandwidth 128: 100 MB/s\nbandwidth 4096: 900 MB/s\nset aside: 0 messages\n")
    MESSAGES = "".join(f"{who}round trip {size}: 0.5 us\n" for who in ("", "handler ")
                       for size in dsm_misses.SIZES) + (
        "blast 128: 300 MB/s\nblast 4096: 2000 MB/s\nblasted: 65536 messages\n"
        "acknowledged: 16384 messages\nset aside: 0 messages\n")
    UCX = "".join(f"round trip {size}: 0.3 us\n" for size in dsm_misses.SIZES)

    def measured(self, *transports):
        session = Canned({"fault": self.FAULT, "remote": self.REMOTE, "messages": self.MESSAGES,
                          "ucx_pingpong": self.UCX})
        dsm_misses.time_faults(session, 2)
        for transport in transports:
            dsm_misses.time_misses(session, 2, transport)
        return session.rows

    def test_names_that_others_rely_on(self):
        found = {(r.metric, r.peer): r for r in self.measured("shm", "tcp")}
        for transport in ("shm", "tcp"):
            row = found[f"miss latency 64 B {transport}", "UCX round trip"]
            self.assertEqual((row.value, row.peer_value, row.unit), (0.6, 0.3, "us"))

    def test_rows_are_what_the_table_asks_for(self):
        lines = dsm_report.table(self.measured("shm", "tcp")).splitlines()
        measured = {label: [line for line in lines if line.startswith(f"| {label} ")
                            and "not measured" not in line]
                    for label in ("R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R19")}
        self.assertEqual({label: len(found) for label, found in measured.items()},
                         {"R5": 2, "R6": 4, "R7": 1, "R8": 1, "R9": 2, "R10": 4, "R11": 2,
                          "R12": 3, "R19": 1})

    def test_share_of_tags_and_fault(self):
        row = next(r for r in self.measured("shm") if r.metric == "tags and fault of a miss")
        self.assertAlmostEqual(row.ratio, 0.12 / 0.6)

    def test_acknowledgements_of_all_rounds(self):
        row = next(r for r in self.measured("shm") if r.metric == "acknowledgements shm")
        self.assertEqual((row.value, row.ratio), (2 * 16384, 0.25))


class Homes(unittest.TestCase):
    def test_rows(self):
        session = Canned({"homes": "elsewhere: 8.000 messages\nelsewhere data: 3.000 messages\n"
                                   "first touch: 4.000 messages\nfirst touch data: 1.000 messages\n"
                                   "consumer: 4.000 messages\nconsumer data: 2.000 messages\n"})
        dsm_misses.count_homes(session)
        self.assertEqual({r.metric: r.ratio for r in session.rows},
                         {"messages, home: first touch": 0.5, "messages, home: consumer": 0.5,
                          "control messages": 3.0})


class Targets(unittest.TestCase):
    def verdicts(self, rows):
        lines = dsm_report.table(rows).splitlines()[2:]
        cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
        return {c[1]: (c[4], c[5]) for c in cells}

    def test_names_are_unique(self):
        names = [t.what for t in dsm_report.TARGETS]
        self.assertEqual(len(names), len(set(names)))

    def test_nothing_measured(self):
        self.assertEqual(set(self.verdicts([]).values()), {("", "not measured")})

    def test_overhead(self):
        found = self.verdicts([row("check overhead", "lu", 1.0), row("check overhead", "em3d", 1.21),
                               row("check overhead", "lu", 9.0, peer="A/A")])
        self.assertEqual(found["check overhead, geometric mean"], ("1.1", "met"))
        self.assertEqual(found["check overhead, worst"], ("1.21", "met"))

    def test_ports_have_a_mean_of_their_own(self):
        found = self.verdicts([row("check instructions", "lu", 1.1), row("check instructions", "cg", 1.4),
                               row("check instructions, geometric mean", "ports", 1.2)])
        self.assertEqual(found["instructions of checks and polls, geometric mean"], ("1.1", "met"))
        self.assertEqual(found["instructions of checks and polls of seven ports, geometric mean"],
                         ("1.2", "missed"))

    def test_bounds_from_below(self):
        found = self.verdicts([row("software fault", "fault", 0.2, value=800.0)])
        self.assertEqual(found["page trap to software fault"], ("5", "missed"))
        self.assertEqual(found["software fault, handler and all"], ("800 ns", "missed"))

    def test_what_has_no_bound_is_reported(self):
        found = self.verdicts([row("remote load", "remote", 170.0)])
        self.assertEqual(found["remote to local load, shm"], ("170", "reported"))

    def test_overhead_of_several_threads_is_relative(self):
        rows = [row("check overhead", "lu", 1.1)]
        name = "overhead with two threads to overhead with one"
        self.assertEqual(self.verdicts(rows)[name][1], "not measured")
        rows.append(row("time of 2 checked threads", "lu", 1.21, peer="2 plain threads"))
        self.assertEqual(self.verdicts(rows)[name], ("1.1", "missed"))

    def test_speed_ups_beside_the_machines_own(self):
        text = dsm_nodes.speed_ups([row("time on 2 nodes", "lu", 0.625, value=1.25),
                                    row("time of 2 plain threads", "lu", 0.5)])
        self.assertRegex(text, r"lu +\| 2.000 s \| +1.250 s \| +1.60 \| +2.00 \| +0.80 ")

    def test_streaming_needs_all_kernels(self):
        rows = [row("streaming", k, 1.01) for k in ("copy", "axpy")]
        self.assertEqual(self.verdicts(rows)["streaming loops, worst"][1], "not measured")
        rows.append(row("streaming", "stencil", 1.2))
        self.assertEqual(self.verdicts(rows)["streaming loops, worst"], ("1.2", "missed"))

    def test_six_of_nine(self):
        ratios = [0.5, 0.52, 0.54, 0.55, 0.56, 0.58, 1.5, 2.0, 3.0]
        rows = [row("time on 2 nodes", str(i), r) for i, r in enumerate(ratios)]
        name = "speed-up on two nodes that six programs reach"
        self.assertEqual(self.verdicts(rows)[name], ("1.72", "met"))
        self.assertEqual(self.verdicts(rows[:5])[name][1], "not measured")


if __name__ == "__main__":
    unittest.main()
