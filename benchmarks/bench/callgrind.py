# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How often each instruction, jump and call of a program was executed, by callgrind.

The independent witness for profiles: valgrind translates the original program and has no
part in what either optimizer inserts. Its files hold, for each object (`ob=`), lines
`address line cost`, where the address is hexadecimal or relative to the last line's (`+5`,
`-5`, `*`). `jump=COUNT TARGET`, `jcnd=TAKEN/EXECUTED TARGET` and `calls=COUNT TARGET`
announce that the next line is a source of control flow, not a cost (what follows `calls=`
is the cost of all that was called); their target is relative to the last line, too.
"""

import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from . import counts
from .cache import need_tool
from .counts import CACHES, TLB
from .errors import BenchError

PAGE = 4096
# What valgrind calls the object of code that it does not know the file of: all but one of a
# file's executable segments, and optimized programs have two.
UNKNOWN = "???"


@dataclass
class Execution:
    """Counts of one object; addresses are the file's own."""
    instructions: Counter = field(default_factory=Counter)   # address
    jumps: Counter = field(default_factory=Counter)          # (address, target): taken
    calls: Counter = field(default_factory=Counter)          # (address, target)
    taken: Counter = field(default_factory=Counter)          # address: jumps from it
    arrived: Counter = field(default_factory=Counter)        # address: jumps to it
    targets: dict = field(default_factory=dict)              # address: {target: calls}

    def add(self, other, bias):
        for address, count in other.instructions.items():
            self.instructions[address - bias] += count
        for (source, target), count in other.jumps.items():
            self.jumps[source - bias, target - bias] += count
            self.taken[source - bias] += count
            self.arrived[target - bias] += count
        for (source, target), count in other.calls.items():
            self.calls[source - bias, target - bias] += count
            self.targets.setdefault(source - bias, Counter())[target - bias] += count


class Parser:
    """Reads one file, keeping what belongs to one object."""

    def __init__(self, object_name, takes_unknown=False):
        self.object_name = object_name
        self.takes_unknown = takes_unknown
        self.names = {}
        self.result = Execution()
        self.wanted = False
        self.last = 0           # what addresses are relative to
        self.pending = None     # a jump or call whose source comes with the next line

    def read(self, lines):
        for line in lines:
            first = line[0]
            if first in "+-*0":
                self._position(line)
            elif first in "ocj":
                self._keyword(line.rstrip("\n"))
        return self.result

    def _address(self, word):
        if word == "*":
            return self.last
        if word[0] in "+-":
            return self.last + int(word)
        return int(word, 16)

    def _position(self, line):
        words = line.split()
        self.last = self._address(words[0])
        if self.pending is not None:
            table, target, count = self.pending
            self.pending = None
            if self.wanted:
                table[self.last, target] += count
        elif self.wanted and len(words) > 2:
            self.result.instructions[self.last] += int(words[2])

    def _keyword(self, line):
        key, _, value = line.partition("=")
        if key in ("ob", "cob"):
            # (7) /path the first time, (7) later
            number, _, name = value.partition(" ")
            if name:
                self.names[number] = name
            if key == "ob":
                name = self.names.get(number, "")
                self.wanted = (Path(name).name == self.object_name or
                               self.takes_unknown and name == UNKNOWN)
        elif key in ("calls", "jump", "jcnd"):
            count, target = value.split()[:2]
            table = self.result.calls if key == "calls" else self.result.jumps
            self.pending = (table, self._address(target), int(count.partition("/")[0]))


def load_bias(execution, start, symbols):
    """Where valgrind loaded a program whose `_start` and other symbols are known."""
    candidates = [address - start for address, count in execution.instructions.items()
                  if count == 1 and (address - start) % PAGE == 0]
    if not candidates:
        raise BenchError("callgrind saw no start of the program")
    return max(candidates, key=lambda bias: sum(symbol + bias in execution.instructions
                                                for symbol in symbols))


def measure(program, binary, kind, scratch, image, takes_unknown=False):
    """Run a workload under callgrind; returns (Result, Execution over all processes)."""
    logs = scratch.parent / "callgrind"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    # --skip-plt would count the instructions of the PLT at the call.
    prefix = [need_tool("valgrind", "valgrind"), "--tool=callgrind", "--dump-instr=yes",
              "--collect-jumps=yes", "--skip-plt=no", f"--callgrind-out-file={logs}/%p",
              "--log-file=/dev/null"]
    result = program.run(binary, kind, scratch, prefix)
    total = Execution()
    for path in sorted(logs.iterdir()):
        with path.open(encoding="utf-8", errors="replace") as lines:
            part = Parser(binary.name, takes_unknown).read(line for line in lines if line != "\n")
        if part.instructions:
            total.add(part, load_bias(part, image.start, image.entries()))
    if not total.instructions:
        raise BenchError(f"callgrind left no counts of {program.name}")
    shutil.rmtree(logs)
    return result, total


def windows_entered(execution, calls, size=32):
    """How often execution entered a decode window: by jumps, calls and returns, and by running
    over a boundary. `calls` holds the addresses of call instructions."""
    arrived = Counter(execution.arrived)
    for (_, target), count in execution.calls.items():
        arrived[target] += count
    total, previous = 0, None
    for address, count in sorted(execution.instructions.items()):
        jumped = min(arrived[address], count)
        ran = count - jumped
        # What follows a call is only returned to.
        new = previous in calls or previous is None or previous // size != address // size
        total += jumped + (ran if new else 0)
        previous = address
    return total


@dataclass
class Fetching:
    """What a layout changes: over all objects of a workload."""
    instructions: int = 0
    jumps: int = 0              # taken; without calls and returns
    icache_misses: int = 0
    itlb_misses: int = 0


def fetching(program, binary, kind, scratch):
    """Run a workload twice; returns (Result, Fetching). The simulated cache is that of
    bench.counts, and a second run has the same simulator stand in for the TLB."""
    logs = scratch.parent / "callgrind"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    # Without --dump-instr, jumps within a line are not told, and all is one line here.
    prefix = [need_tool("valgrind", "valgrind"), "--tool=callgrind", "--dump-instr=yes",
              "--collect-jumps=yes", "--cache-sim=yes", *CACHES,
              f"--callgrind-out-file={logs}/%p", "--log-file=/dev/null"]
    result = program.run(binary, kind, scratch, prefix)
    total = Fetching()
    for path in sorted(logs.iterdir()):
        with path.open(encoding="utf-8", errors="replace") as lines:
            _add_fetching(total, lines)
    if not total.jumps:
        raise BenchError(f"callgrind left no counts of {program.name}")
    shutil.rmtree(logs)
    total.itlb_misses = counts.measure(program, binary, kind, scratch, caches=TLB)[1].icache_misses
    return result, total


def _add_fetching(total, lines):
    """One file of callgrind's."""
    events = []
    for line in lines:
        if line.startswith(("jump=", "jcnd=")):
            total.jumps += int(line[5:].split()[0].partition("/")[0])
        elif line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("totals:"):
            values = dict(zip(events, map(int, line.split()[1:])))
            total.instructions += values["Ir"]
            total.icache_misses += values["I1mr"]
