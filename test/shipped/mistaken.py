#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mistaken.py FILE: the oracle notices each kind of mistake, made on purpose in what is believed
of FILE. FILE has copied functions with jump tables. Prints a line for each kind."""
import copy
import sys

import oracle
from truth import Pointer


def shorter_table(truth, belief):
    begin = next(t for t in truth.tables if t in belief.tables)
    size, entries = belief.tables[begin]
    belief.tables[begin] = (size, entries - 1)


def unknown_table(truth, belief):
    del belief.tables[next(t for t in truth.tables if t in belief.tables)]


def symbol_in_patch(truth, belief):
    first, second = sorted(belief.patches)[:2]
    belief.patches[first] = (second - 2, second + 3)


def branch_into_patch(truth, belief):
    first = min(belief.patches)
    truth.branches.append(Pointer(0, belief.patches[first][0] + 3))


def known_instruction(truth, belief):
    truth.pointers.append(Pointer(0, min(belief.patches) + 7))


def shorter_function(truth, belief):
    belief.functions = [(begin, end - 1) for begin, end in belief.functions]


KINDS = {"table": (shorter_table, unknown_table), "patch": (symbol_in_patch, branch_into_patch),
         "address": (known_instruction,), "bounds": (shorter_function,)}


def main():
    truth, belief = oracle.examine(sys.argv[1])
    bad = bool(oracle.judge(truth, belief))
    for kind, mistakes in KINDS.items():
        for mistake in mistakes:
            t, b = copy.copy(truth), copy.deepcopy(belief)
            t.branches, t.pointers = list(truth.branches), list(truth.pointers)
            mistake(t, b)
            found = any(line.startswith(kind) for line in oracle.judge(t, b))
            print(f"{'ok' if found else 'not ok'} - {kind}: {mistake.__name__}")
            bad |= not found
    return bad


if __name__ == "__main__":
    sys.exit(main())
