#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What graupel-bolt overlooks in a stripped file, told by the file before it was stripped.

  oracle.py [--jobs J] FILE-OR-FOLDER...

FILEs are programs and libraries that were linked with --emit-relocs and have their symbols; of a
folder, all such files in it. For each one:
 1. make a copy without relocations and symbols: nobody says what is an address of code;
 2. instrument it, so that every function has a copy of which that is thought to be safe;
    what was patched is what differs in the output;
 3. compare what was believed with the linker's relocations and the symbols (truth.py).

Counted as missed, of patched functions:
    bounds    the function goes on behind its end, and no unwind record begins there
    patch     a symbol, pointer, or branch of others leads into the patched bytes
    address   data or an operand holds the address of an instruction in it
    table     a jump table has more entries than the copy's, or the copy does not know it
A line for each file and each finding; the last line is "N files, N functions, N missed".
"""
import argparse
import bisect
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "tools"), str(HERE.parent / "programs")]
from elf import has_relocations, linked  # noqa: E402
from limits import limit  # noqa: E402
from optimizer import Failure, graupel_bolt  # noqa: E402
from truth import Elf, Truth, stripped  # noqa: E402

JUMP, ALIGNMENT = 0xe9, 16
LINE = re.compile(r"copies: function (0x[0-9a-f]+) to (0x[0-9a-f]+): (.*)"
                  r"|copies: table (0x[0-9a-f]+): (\d+) entries of (\d) bytes")


class Belief:
    """What graupel-bolt thinks of a stripped file, and where it patched it."""

    def __init__(self, stripped, output, text):
        self.functions, self.tables = [], {}
        for match in LINE.finditer(text):
            if match[1] and match[3] == "may be copied":
                self.functions.append((int(match[1], 16), int(match[2], 16)))
            elif match[4]:
                self.tables[int(match[4], 16)] = (int(match[6]), int(match[5]))
        self.patches = {begin: patch for begin, end in self.functions
                        if (patch := self._patch(stripped, output, begin, end))}

    @staticmethod
    def _patch(before, after, begin, end):
        """(begin, end) of the jump in a function."""
        def read(elf):
            home = next((s for s in elf.code if s.address <= begin < s.address + s.size), None)
            at = home.offset + begin - home.address
            return elf.data[at:at + min(end - begin, 16)]
        was, now = read(before), read(after)
        differs = [i for i, (a, b) in enumerate(zip(was, now)) if a != b]
        if not differs:
            return None
        jump = 4 if was[:4] == b"\xf3\x0f\x1e\xfa" else 0
        assert now[jump] == JUMP and differs[-1] < jump + 5, hex(begin)
        return begin + jump, begin + jump + 5


def real_end(truth, function):
    """Symbols of assembly may go on over the next function. Then there may be padding."""
    at = bisect.bisect_right(truth.begins, function.begin)
    following = truth.begins[at] if at < len(truth.begins) else function.end
    return function.end if function.end <= following else following - ALIGNMENT


def judge(truth, belief):
    """Lines that say what was missed."""
    missed = []
    begins = sorted(belief.patches)
    ends = dict(belief.functions)

    def owner(address):
        at = bisect.bisect_right(begins, address) - 1
        return begins[at] if at >= 0 and address < ends[begins[at]] else None

    symbols = {}
    for function in truth.functions:
        symbols[function.begin] = max(function, symbols.get(function.begin, function))
    records = {begin for begin, _ in belief.functions}
    labels = set(truth.labels)
    for begin in begins:
        symbol = symbols.get(begin)
        if symbol and real_end(truth, symbol) > ends[begin] and ends[begin] not in records:
            missed.append(f"bounds: {symbol.name} goes on behind {ends[begin]:#x}")
        first, last = belief.patches[begin]
        for address in range(first + 1, last):
            if address in symbols or address in labels:
                missed.append(f"patch: a symbol at {address:#x} is in the patch of {begin:#x}")
    in_tables = {t.begin + i * t.entry_size for t in truth.tables.values()
                 for i in range(len(t.targets))}
    for pointer in truth.branches:
        begin = owner(pointer.target)
        if begin is not None and belief.patches[begin][0] < pointer.target < belief.patches[begin][1]:
            missed.append(f"patch: the branch at {pointer.place:#x} leads to {pointer.target:#x}")
    for pointer in truth.pointers:
        begin = owner(pointer.target)
        if begin not in (None, pointer.target) and pointer.place not in in_tables:
            missed.append(f"address: {pointer.place:#x} holds {pointer.target:#x}, which is in {begin:#x}")
    for table in truth.tables.values():
        inside = {owner(t) for t in table.targets if owner(t) not in (None, t)}
        if not inside:
            continue
        size, entries = belief.tables.get(table.begin, (0, 0))
        if size != table.entry_size or entries < len(table.targets):
            missed.append(f"table: {table.begin:#x} of {min(inside):#x} has {len(table.targets)} entries, "
                          f"{entries} are known")
    return missed


def examine(path):
    """What is true of a file, and what is believed of it without relocations and symbols."""
    with tempfile.TemporaryDirectory() as folder:
        naked, output = f"{folder}/naked", f"{folder}/output"
        Path(naked).write_bytes(stripped(path))
        done = subprocess.run([graupel_bolt(), naked, "-o", output, "-instrument", "-print-copies",
                               f"-instrumentation-file={folder}/profile"],
                              capture_output=True, text=True, timeout=limit(600))
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error:" in line]
            raise Failure(errors[-1] if errors else f"status {done.returncode}", "the file as it was linked")
        return Truth(path), Belief(Elf(naked), Elf(output), done.stdout + done.stderr)


def run(path):
    try:
        truth, belief = examine(path)
    except Failure as failure:
        return path, str(failure).splitlines()[0]
    return path, len(truth.functions), len(belief.patches), len(belief.tables), judge(truth, belief)


def subjects(places):
    for place in map(Path, places):
        if place.is_file():
            yield place
            continue
        seen = set()
        for path in sorted(p for p in place.rglob("*") if p.is_file() and not p.is_symlink()):
            content = path.stat().st_size > 4096 and linked(path) and has_relocations(path) and \
                path.read_bytes()
            if content and content not in seen and b".symtab\0" in content:
                seen.add(content)
                yield path


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("places", nargs="+", metavar="FILE-OR-FOLDER")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J")
    options = p.parse_args()
    files = functions = missed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, *result in pool.map(run, subjects(options.places)):
            if len(result) == 1:
                print(f"{path}: refused: {result[0]}", flush=True)
                continue
            in_file, patched, tables, faults = result
            files += 1
            functions += patched
            missed += len(faults)
            print(f"{path}: {in_file} functions, {patched} copied, {tables} tables, {len(faults)} missed",
                  flush=True)
            for line in faults:
                print(f"    {line}")
    print(f"{files} files, {functions} functions, {missed} missed")
    return missed != 0 or not files


if __name__ == "__main__":
    sys.exit(main())
