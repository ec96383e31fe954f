#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks instrumented IR in one place at a time; the verifier must see each.

usage: mutate.py --passes=SO FILE.ll

Prints how many mutants of which kind were caught; fails if one was not. FILE.ll must
verify as it is.
"""

import argparse
import re
import subprocess
import sys


def verify(passes, text):
    done = subprocess.run(
        ["opt", f"-load-pass-plugin={passes}", "-passes=verify,graupel-fgdsm-verify", "-disable-output"],
        input=text, text=True, capture_output=True)
    if done.returncode and "unchecked access" not in done.stderr:
        sys.exit(f"a mutant is no IR:\n{done.stderr[:1000]}")
    return done.returncode == 0


def replacements(pattern, new):
    """One mutant for each place."""
    def mutate(text):
        for found in re.finditer(pattern, text, re.M):
            yield text[:found.start()] + found.expand(new) + text[found.end():]
    return mutate


def block_of(text, at, label):
    """The text of a block by its name with the percent sign, in the function around `at`."""
    function = text[text.rindex("\ndefine", 0, at):text.index("\n}", at) + 2]
    found = re.search(rf"^{re.escape(label[1:])}:.*?(?=^\S)", function, re.M | re.S)
    return found.group() if found else ""


def wrong_way(text):
    """Only branches to slow paths for accesses: polls protect none."""
    for found in re.finditer(r"^  br i1 (%\S+), label (%\S+), label (%\S+), (!prof.*)$", text, re.M):
        if re.search(r"@graupel_dsm_(load|store|acquire)", block_of(text, found.start(), found[2])):
            yield (text[:found.start()] + f"  br i1 {found[1]}, label {found[3]}, label {found[2]}, {found[4]}"
                   + text[found.end():])


def old_value(text):
    """The value that was tested instead of the one that was loaded again."""
    for found in re.finditer(r"= phi (\S+) \[ (%\S+), (%\S+) \], \[ (%\S+), (%\S+) \]", text):
        slow = block_of(text, found.start(), found[5])
        if "@graupel_dsm_" in slow and f"{found[4]} = load" in slow:
            yield (text[:found.start()] + f"= phi {found[1]} [ {found[2]}, {found[3]} ], [ {found[2]}, {found[5]} ]"
                   + text[found.end():])


# Slow paths must do what they are for, tests must look at what they should, branches must
# go where they belong.
MUTATIONS = {
    "slow path without call": replacements(
        r"^  call preserve_allcc void @graupel_dsm_(load|store|acquire_set)\.stub\(.*$", ""),
    "smaller range": replacements(
        r"(@graupel_dsm_(?:load|store)\.stub\(ptr [^,]*, i64) (?:[4-9]|\d\d+)\)", r"\1 1)"),
    "load instead of store": replacements(
        r"call preserve_allcc void @graupel_dsm_store\.stub\(", r"call preserve_allcc void @graupel_dsm_load.stub("),
    "set that lacks its last range": replacements(
        r"^(@graupel\.fgdsm\.set\.\S* = .*\[7 x i32\] \[i32) 2,", r"\1 1,"),
    "poll without its set": replacements(
        r"call preserve_allcc void @graupel_dsm_poll_acquire_set\.stub\(.*\)", "call preserve_allcc void @graupel_dsm_poll.stub()"),
    "other page": replacements(r"^(  %\S+ = lshr i64 %\S+), 5$", r"\1, 6"),
    "branch the wrong way": wrong_way,
    "other pattern": replacements(r", 2147200448$", ", 2147200449"),
    "other base": replacements(r'(= call ptr asm "", "=r,0"\(ptr) %\S+\)', r"\1 null)"),
    "other number": replacements(r"(= fcmp )uno( double %\S+, 0\.000000e\+00)$", r"\g<1>ueq\2"),
    "ordered instead of not": replacements(r"= fcmp uno ", r"= fcmp ord "),
    "value before the test": old_value,
    "value that cannot be the pattern": replacements(
        r"^(  (%\S+) = load i32, ptr %\S+, align 4)((?:, !\S+ !\d+)*\n  %\S+ = icmp eq i32 \2, 2147200448)$",
        r"\1, !range !{i32 0, i32 7}\3"),
    "pointer that cannot be the pattern": replacements(
        r"^(  (%\S+) = load ptr, ptr %\S+, align 8)((?:, !\S+ !\d+)*\n  %\S+ = ptrtoint ptr \2 to)",
        r"\1, !align !{i64 128}\3"),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", required=True)
    parser.add_argument("file")
    options = parser.parse_args()
    text = open(options.file).read()
    if not verify(options.passes, text):
        sys.exit(f"{options.file} does not verify")
    missed = 0
    for kind, mutate in MUTATIONS.items():
        mutants = list(mutate(text))
        survivors = [mutant for mutant in mutants if verify(options.passes, mutant)]
        missed += len(survivors)
        print(f"{kind}: {len(mutants) - len(survivors)} of {len(mutants)}")
        for mutant in survivors[:1]:
            changed = [f"{old} -> {new}" for old, new in zip(text.split("\n"), mutant.split("\n")) if old != new]
            print("  " + "\n  ".join(changed))
    sys.exit(missed != 0)


main()
