#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents that can be read: no paragraph or list item of more than 100 words, no cell of a
table of more than 25, no line of text of more than 120 columns.

usage: prose.py FOLDER
"""

import os
import re
import sys

WORDS, CELL_WORDS, COLUMNS = 100, 25, 120
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^\s*([*+-]|\d+\.)\s")


def documents(folder):
    for path, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f not in ("build", "node_modules") and f[0] != "."]
        yield from (os.path.join(path, name) for name in names if name.endswith(".md"))


class Document:
    """Paragraphs end at empty lines, at list items, headings, tables and code."""

    def __init__(self, path):
        self.path, self.faults = path, []
        self.paragraph, self.begin, self.fenced = [], 0, False
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                self.add(number, line.rstrip("\n"))
        self.end()

    def fault(self, number, what):
        self.faults.append(f"{self.path}:{number}: {what}")

    def end(self):
        words = " ".join(self.paragraph).split()
        if len(words) > WORDS:
            self.fault(self.begin, f"a paragraph of {len(words)} words: {' '.join(words[:6])} ...")
        self.paragraph = []

    def add(self, number, line):
        if FENCE.match(line):
            self.fenced = not self.fenced
            return self.end()
        if self.fenced or (not self.paragraph and line.startswith("    ") and not ITEM.match(line)):
            return None
        if line.lstrip().startswith("|"):
            for cell in line.split("|"):
                if len(cell.split()) > CELL_WORDS:
                    self.fault(number, f"a cell of {len(cell.split())} words: {cell.strip()[:40]} ...")
            return self.end()
        if not line.strip() or line.startswith("#") or ITEM.match(line):
            self.end()
        if not line.strip():
            return None
        # What cannot be broken may be longer.
        if len(line) > COLUMNS and " " in line.strip()[:COLUMNS - 8].lstrip("*-0123456789. "):
            self.fault(number, f"a line of {len(line)} columns")
        if not self.paragraph:
            self.begin = number
        self.paragraph.append(line)
        return None


def main():
    sys.stdout.reconfigure(errors="replace")
    count, faults = 0, []
    for path in sorted(documents(sys.argv[1])):
        count += 1
        faults += Document(path).faults
    print("\n".join(faults + [f"{count} documents, {len(faults)} faults"]))
    return bool(faults) or not count


if __name__ == "__main__":
    sys.exit(main())
