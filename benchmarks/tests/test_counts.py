# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The readers of counts: fdata, callgrind's files, our profiles, and who is right."""

import io
import re
import struct
import tempfile
import unittest
from pathlib import Path

import context  # noqa: F401
from bench import fdata, gprofile
from bench.callgrind import Execution, Parser, load_bias
from bench.errors import BenchError
from bench.image import sum_code
from bench.rows import Row
from families.instrument import short_table
from families.threads import deviation
from families.witness import Witness, judge


def parsed(text):
    profile = fdata.Fdata()
    for line in io.StringIO(text):
        profile.add(line)
    return profile


class Fdata(unittest.TestCase):
    def test_kinds(self):
        profile = parsed("1 f a 1 f 1c 0 5\n1 f a 1 f 1c 0 2\n1 f 20 1 g 0 0 3\n1 f 30 1 f 0 0 4\n"
                         "0 [unknown] 0 1 f 0 0 9\n")
        self.assertEqual(profile.edges, {("f", 0xa, 0x1c): 7})
        self.assertEqual(profile.calls, {("f", 0x20, "g", 0): 3, ("f", 0x30, "f", 0): 4})
        self.assertEqual(profile.entries, {("f", 0): 9})
        self.assertEqual(profile.functions(), {"f"})

    def test_names_with_spaces(self):
        self.assertEqual(parsed("1 a\\ b 1 1 a\\ b 2 0 5\n").edges, {("a b", 1, 2): 5})

    def test_nonsense(self):
        with self.assertRaises(BenchError):
            parsed("boltedcollection\n")

    def test_compare(self):
        found = fdata.compare({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 5, "d": 6})
        self.assertEqual(found.equal, 1)
        self.assertEqual(found.differ, {"b": (2, 5), "c": (3, 0), "d": (0, 6)})
        self.assertEqual(fdata.compare({"a": 1}, {"b": 1}, "b".__eq__).differ, {"b": (0, 1)})


CALLGRIND = """# callgrind format
positions: instr line
events: Ir
ob=(1) /lib/libc.so
fn=(1) strlen
0x2000 7 99

ob=(2) /tmp/program
fl=(1) a.c
fn=(2) main
0x1000 10 4
+4 +1 4
jcnd=3/4 0x1020 *
* *
+2 * 1
cob=(1)
cfn=(1)
calls=1 0x2000 -5
* * 500
+5 -1 1
jump=1 -11 *
* *
ob=(1)
fn=(1)
0x2000 7 1
ob=(2)
fn=(3) other
0x1020 0 3
-16 0 2
"""


class Callgrind(unittest.TestCase):
    def setUp(self):
        lines = [line for line in io.StringIO(CALLGRIND) if line != "\n"]
        self.seen = Parser("program").read(lines)

    def test_costs_without_those_of_calls(self):
        self.assertEqual(self.seen.instructions,
                         {0x1000: 4, 0x1004: 4, 0x1006: 1, 0x100b: 1, 0x1020: 3, 0x1010: 2})

    def test_code_of_unknown_objects(self):
        text = "ob=(1) /x/program\nfn=(1) f\n0x10 1 4\nob=(2) ???\nfn=(2) g\n0x20 1 5\n"
        self.assertEqual(Parser("program").read(text.splitlines()).instructions, {0x10: 4})
        self.assertEqual(Parser("program", takes_unknown=True).read(text.splitlines()).instructions,
                         {0x10: 4, 0x20: 5})

    def test_jumps_and_calls(self):
        self.assertEqual(self.seen.jumps, {(0x1004, 0x1020): 3, (0x100b, 0x1000): 1})
        self.assertEqual(self.seen.calls, {(0x1006, 0x2000): 1})

    def test_bias(self):
        total = Execution()
        bias = load_bias(self.seen, 0x6, [0x0, 0x20, 0x6])
        self.assertEqual(bias, 0x1000)
        total.add(self.seen, bias)
        self.assertEqual(total.instructions[0x20], 3)
        self.assertEqual(total.taken, {0x4: 3, 0xb: 1})
        with self.assertRaises(BenchError):
            load_bias(self.seen, 0x7, [])


def metadata():
    """Two names, one function: a loop with one counter, and an exit."""
    def edge(source, target, branch, counted):
        return [source << 1 | counted, target, branch]
    numbers = [1, 3, 0, 4, 200,                                     # name, blocks
               0, 5, *edge(3, 0, 0, 1), *edge(0, 1, 3, 0), *edge(1, 1, 151, 1),
               *edge(1, 2, 151, 0), *edge(2, 3, 0, 0),
               1, 4, 10, 0, 0, 0, 1, 9]                             # a call, a site
    encoded = b"".join(bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7]) for n in numbers)
    names = b"callee\0loop\0"
    point = struct.pack("<qII", 64, 0, 0)
    return struct.pack("<4Q", 2, 1, 1, len(names)) + point + names + encoded


def profile(*slots):
    """A file with two counters and a site in each slot."""
    data = metadata()
    header = b"GRAUPEL\x1a".ljust(64, b"\0") + struct.pack("<7Q", len(data), 8192, 8192, 4096,
                                                         1, 2, 0)
    text = header.ljust(4096, b"\0") + data.ljust(4096, b"\0")
    for counters in slots:
        text += bytes(4096) + (bytes(64 + 16) + struct.pack("<2Q", *counters)).ljust(4096, b"\0")
    return text


class OurProfile(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "p")
            path.write_bytes(text)
            return gprofile.Profile(path)

    def test_sum_of_slots(self):
        read = self.read(profile((2, 10), (1, 5)))
        self.assertEqual((read.slots, read.counters), (2, [3, 15]))

    def test_flow(self):
        read = self.read(profile((3, 15)))
        function, = read.functions
        self.assertEqual((function.name, function.blocks), ("loop", [0, 4, 200]))
        self.assertEqual(read.block_counts(function), [3, 18, 3])
        self.assertEqual(list(read.branches(function)), [(2, 4, 3), (150, 4, 15), (150, 200, 3)])

    def test_not_executed(self):
        read = self.read(profile((0, 0)))
        self.assertEqual(read.block_counts(read.functions[0]), [0, 0, 0])

    def test_other_file(self):
        with self.assertRaises(BenchError):
            self.read(b"1 f a 1 f 1c 0 5\n" * 300)


class Code:
    """An image with one function at 0x1000, named `f`."""
    listing = {0x1000: "test %eax,%eax", 0x1002: "je 1008 <f+0x8>", 0x1004: "nopl 0x0(%rax)",
               0x1008: "call 2000 <g>", 0x100d: "call *%rax", 0x100f: "ret"}
    order = [0x1000, 0x2000]

    def end(self, _):
        return 0x2000

    def address(self, name):
        return {"f": 0x1000, "g": 0x2000}.get(name)

    def instructions(self, _):
        return self.listing

    def falls_into(self, _, source, target):
        return (source, target) in ((0x1002, 0x1008), (0x1000, 0x1002))


class Judging(unittest.TestCase):
    def setUp(self):
        seen = Execution()
        seen.instructions.update({0x1000: 9, 0x1002: 9, 0x1008: 9, 0x100d: 9, 0x2000: 9})
        seen.jumps[0x1002, 0x1008] = 4
        seen.taken[0x1002] = 4
        seen.calls[0x100d, 0x2000] = 8
        seen.targets[0x100d] = {0x2000: 8, 0x3000: 1}
        self.witness = Witness(Code(), seen)

    def test_edges(self):
        self.assertEqual(self.witness.edge("f", 2, 8), 4 + 5)
        self.assertEqual(self.witness.edge("f", 0xd, 2), 0)
        self.assertIsNone(self.witness.edge("unknown", 2, 8))

    def test_calls(self):
        self.assertEqual(self.witness.call("f", 8, "g@PLT", 0), 9)
        self.assertEqual(self.witness.call("f", 0xd, "g", 0), 8)
        self.assertIsNone(self.witness.call("f", 0xd, "elsewhere", 0))
        self.assertEqual(self.witness.call("f", 0xd, fdata.OUTSIDE, 0), 1)

    def test_blocks_that_begin_with_calls(self):
        self.assertTrue(self.witness.begins_with_call("f", [0, 8]))
        self.assertFalse(self.witness.begins_with_call("f", [0, 2, 15]))
        self.assertFalse(self.witness.begins_with_call("unknown", [0]))

    def test_blocks_and_cover(self):
        self.assertEqual(self.witness.block("f", 0xf), 0)
        self.assertIsNone(self.witness.block("unknown", 0))
        self.assertEqual(self.witness.covered(["f"]), 36 / 45)

    def test_conditional_tail_calls(self):
        self.assertFalse(self.witness.has_conditional_tail_call("f"))
        self.witness.image.listing = {0x1000: "jmp 3000 <h>", 0x1005: "jne    3000 <h>"}
        self.assertTrue(self.witness.has_conditional_tail_call("f"))

    def test_calls_that_do_not_return(self):
        self.assertFalse(self.witness.returns("f"))      # ret was not reached
        self.witness.seen.instructions[0x100f] = 9
        self.assertTrue(self.witness.returns("f"))
        self.witness.seen.arrived[0x100d] = 1
        self.assertFalse(self.witness.returns("f"))

    def test_verdicts(self):
        truth = {("o",): 1, ("t",): 2, ("n",): 3, ("u",): None, ("v",): 1}
        found = judge({key: (1, 2) for key in truth}, lambda name: truth[name,], {("v",)}.__contains__)
        self.assertEqual({name: list(keys) for name, keys in found.items()},
                         {"ours": [("o",)], "theirs": [("t",)], "neither": [("n",)],
                          "unknown": [("u",)], "varies": [("v",)]})


class ShortTable(unittest.TestCase):
    def test_programs_and_means(self):
        def row(program, metric, ratio, low, high):
            return Row("instrument", program, metric, "s", ratio, "baseline", 1, ratio, low, high)
        rows = [row("a", "user_time", 2.0, 1.9, 2.1), row("b", "user_time", 8.0, None, None),
                row("a", "code_size", 1.5, 1.5, 1.5)]
        text = short_table({"time": ("user_time", "baseline"), "code": ("code_size", "baseline")},
                           rows, {("user_time", "baseline"): (4, 3.5, 4.5)})
        self.assertEqual([[cell.strip() for cell in line.split("|")[1:-1]]
                          for line in text.splitlines()[2:]],
                         [["a", "2.000 [1.900, 2.100]", "1.500"], ["b", "8.000", ""],
                          ["geometric mean", "4.000 [3.500, 4.500]", "1.500"]])


class Sizes(unittest.TestCase):
    def test_code(self):
        self.assertEqual(sum_code("""
  [12] .init             PROGBITS        0000000000008000 008000 000017 00  AX  0   0  4
  [15] .bolt.org.text    PROGBITS        00000000000082e0 0082e0 0c5ab8 00  AX  0   0 16
  [29] .text             PROGBITS        0000000000101400 101400 000100 00  AX  0   0 64
  [30] .text.cold        PROGBITS        0000000000102400 102400 000010 00  AX  0   0 64
  [31] .graupel.text     PROGBITS        00000000001f8c80 1f8c80 0056bc 00  AX  0   0 64
  [34] .text.bolt.extra.1 PROGBITS        0000000000683000 683000 006338 00  AX  0   0 16
  [35] .text.notes       PROGBITS        0000000000000000 683000 006338 00   A  0   0 16
"""), 0x110)

    def test_deviation(self):
        truth = parsed("1 part 1 1 part 2 0 100\n1 part 5 1 grow 0 0 50\n1 main 1 1 main 2 0 7\n")
        counts = parsed("1 part 1 1 part 2 0 98\n1 part 5 1 grow 0 0 50\n1 part 7 1 part 9 0 1\n")
        self.assertEqual(deviation(truth, counts, re.compile("part")), (3, 150))


if __name__ == "__main__":
    unittest.main()
