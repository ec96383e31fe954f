# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What callgrind says about the counts of a profile."""

import re
from collections import Counter

from bench.fdata import OUTSIDE
from bench.image import Image

# In sections of their own, which callgrind takes for no part of the program.
UNSEEN = {"_init", "_fini"}
CONDITIONAL = re.compile(r"^j(?!mp)\w+\s+([0-9a-f]+)")


class Witness:
    """Execution counts of the original program, asked by names and offsets of BOLT."""

    def __init__(self, image: Image, execution):
        self.image = image
        self.seen = execution

    def block(self, function, offset):
        address = self.image.address(function)
        if address is None or function in UNSEEN:
            return None
        return self.seen.instructions.get(address + offset, 0)

    def edge(self, function, source, target):
        """A jump was taken, or execution went on behind the instruction at `source`."""
        base = self.image.address(function)
        if base is None:
            return None
        jumped = self.seen.jumps.get((base + source, base + target), 0)
        if self.image.falls_into(base, base + source, base + target):
            jumped += self.seen.instructions.get(base + source, 0) \
                - self.seen.taken.get(base + source, 0)
        return jumped

    def call(self, function, source, callee, offset):
        base, target = self.image.address(function), self.image.address(callee)
        if base is None:
            return None
        if callee == OUTSIDE:
            return self._calls_elsewhere(base + source)
        text = self.image.instructions(base).get(base + source, "")
        if text.startswith("call") and "*" not in text:
            return self.seen.instructions.get(base + source, 0)
        if target is None:
            return None
        edge = (base + source, target + offset)
        return self.seen.calls.get(edge, 0) + self.seen.jumps.get(edge, 0)

    def _calls_elsewhere(self, site):
        """Calls from a place that went to none of the program's functions."""
        starts = set(self.image.order)
        inside = sum(count for target, count in self.seen.targets.get(site, {}).items()
                     if target in starts)
        return self.seen.instructions.get(site, 0) - inside

    def begins_with_call(self, function, blocks):
        """A block does so and may fall through. llvm-bolt 22 then counts the call instead of
        the fall-through: its insertion point is the block's begin, where it sees a call."""
        base = self.image.address(function)
        code = self.image.instructions(base) if base is not None else {}
        return any(code.get(base + offset, "").startswith("call") for offset in blocks if code)

    def has_conditional_tail_call(self, function):
        """A conditional jump leaves it: an exit that is in no flow graph of llvm-bolt's."""
        base = self.image.address(function)
        code = self.image.instructions(base) if base is not None else {}
        targets = (int(m[1], 16) for m in map(CONDITIONAL.match, code.values()) if m)
        return any(not base <= target < self.image.end(base) for target in targets)

    def returns(self, function):
        """Whether all calls in it came back, once. Otherwise control was in the middle of a
        block when the program ended, longjmp left it or setjmp came back again: the flow
        into some block is not the flow out of it, and what is derived from that is wrong."""
        base = self.image.address(function)
        code = self.image.instructions(base) if base is not None else {}
        count, arrived = self.seen.instructions, self.seen.arrived
        return all(count.get(at, 0) == count.get(behind, 0) - arrived.get(behind, 0)
                   for (at, text), behind in zip(code.items(), list(code)[1:])
                   if text.startswith("call"))

    def covered(self, functions):
        """Share of the program's executed instructions that lie in these functions."""
        ranges = {self.image.address(name) for name in functions} - {None}
        starts, inside, at = self.image.order, 0, 0
        for address in sorted(self.seen.instructions):
            while at + 1 < len(starts) and starts[at + 1] <= address:
                at += 1
            if starts[at] in ranges:
                inside += self.seen.instructions[address]
        return inside / self.seen.instructions.total()


VERDICTS = ("varies", "ours", "theirs", "neither", "unknown")


def judge(differ, truth, varies):
    """Who is right where two profiles differ: {verdict: {key: (ours, theirs, truth)}}."""
    found = {verdict: {} for verdict in VERDICTS}
    for key, (ours, theirs) in differ.items():
        # Asking for the truth disassembles the function.
        actual = None if varies(key) else truth(*key)
        if varies(key):
            verdict = "varies"
        elif actual is None:
            verdict = "unknown"
        else:
            verdict = "ours" if actual == ours else "theirs" if actual == theirs else "neither"
        found[verdict][key] = (ours, theirs, actual)
    return found


def by_function(keys):
    """(function, how many of the keys are in it), most first."""
    return Counter(key[0] for key in keys).most_common()
