# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names, addresses and instructions of an executable, by nm and objdump."""

import bisect
import re
from collections import defaultdict

from .cache import checked, need_tool
from .errors import BenchError

LOCAL = "tiw"       # nm's letters of local functions, weak ones, indirect ones
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
NOP = re.compile(r"^(data16 |cs |rep )*(nop|xchg\s+%ax,%ax)")
CALL = re.compile(r"^(\S+ )*call")
SECTION = re.compile(r"^\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)"
                     r"\s+\S+\s+(\S*)")


class Image:
    """An executable's functions. BOLT calls the n-th local `f`, by address, `f/n`."""

    def __init__(self, path):
        self.path = path
        self.addresses = defaultdict(list)
        text = checked([need_tool("nm", "binutils"), "--defined-only", path], what="nm")
        for line in text.splitlines():
            address, letter, name = line.split(None, 2)
            if letter in "tTwWiV":
                self.addresses[name].append((int(address, 16), letter in "t"))
        self.order = sorted({a for places in self.addresses.values() for a, _ in places})
        self.code = {}
        if "_start" not in self.addresses:
            raise BenchError(f"{path} has no symbol _start")
        self.start = self.addresses["_start"][0][0]

    def entries(self):
        return self.order

    def address(self, name):
        """Of a function as BOLT names it, or None."""
        plain, *rest = name.split("/")
        places = self.addresses.get(plain, [])
        if not rest:
            places = [a for a, local in places if not local] or [a for a, _ in places]
            return places[0] if len(set(places)) == 1 else None
        locals_ = sorted(a for a, local in places if local)
        number = int(rest[-1]) if rest[-1].isdigit() else 0
        # With a file name between, the number counts within that file only.
        if len(rest) == 1 and 0 < number <= len(locals_):
            return locals_[number - 1]
        return locals_[0] if len(locals_) == 1 else None

    def end(self, address):
        """Where the next function starts."""
        index = bisect.bisect_right(self.order, address)
        return self.order[index] if index < len(self.order) else address + 1

    def instructions(self, address):
        """{address: text} of the function at `address`, in order."""
        if address not in self.code:
            text = checked([need_tool("objdump", "binutils"), "-d", "--no-show-raw-insn",
                            f"--start-address={address}", f"--stop-address={self.end(address)}",
                            self.path], what="objdump")
            found = (INSTRUCTION.match(line) for line in text.splitlines())
            self.code[address] = {int(m[1], 16): m[2] for m in found if m}
        return self.code[address]

    def calls(self):
        """Addresses of all call instructions."""
        text = checked([need_tool("objdump", "binutils"), "-d", "--no-show-raw-insn", self.path],
                       what="objdump")
        found = (INSTRUCTION.match(line) for line in text.splitlines())
        return {int(m[1], 16) for m in found if m and CALL.match(m[2])}

    def falls_into(self, function, source, target):
        """Whether the instruction at `source` is followed by the one at `target`, up to nops."""
        code = self.instructions(function)
        order = list(code)
        if source not in code or target not in code or target <= source:
            return False
        between = order[order.index(source) + 1:order.index(target)]
        return all(NOP.match(code[address]) for address in between)


def code_size(path):
    """Bytes of executable sections named .text...: the functions, but neither PLT, nor
    the copy of the old code that BOLT keeps, nor the runtime of an instrumentation."""
    text = checked([need_tool("readelf", "binutils"), "-SW", path], what="readelf")
    return sum_code(text)


def sum_code(text):
    total = 0
    for match in filter(None, map(SECTION.match, text.splitlines())):
        name, size, flags = match[1], int(match[3], 16), match[4]
        if "X" in flags and name.startswith(".text") and ".bolt.extra" not in name:
            total += size
    return total
