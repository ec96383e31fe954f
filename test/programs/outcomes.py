# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a suite's output says of its tests, and how two runs of it differ.

A run is {test: outcome}. The command's exit status is a test, too: a program that
dies before it has said anything fails. A test counts against graupel-bolt if it is
good with the original program and not so with the rewritten one, or is missing.
"""

import re

STATUS = "exit status"
GOOD = {"pass", "passed", "ok", "xfail", "success", "expectedfail", "skip", "skipped"}
# Each pattern names the groups `name` and `outcome`.
FORMATS = {
    "exit": None,
    "automake": r"^(?P<outcome>PASS|FAIL|XFAIL|XPASS|ERROR): (?P<name>\S.*?)\s*$",
    "ctest": r"^ *\d+/\d+ Test +#\d+: (?P<name>\S+) \.+ *(?P<outcome>Passed|\S+)",
    "gtest": r"^\[ +(?P<outcome>OK|FAILED) +\] (?P<name>[^\s,]+)",
    "meson": r"^ *\d+/\d+ (?P<name>\S.*?) +(?P<outcome>OK|FAIL|TIMEOUT|EXPECTEDFAIL|ERROR)\b",
    "tap": r"^(?P<outcome>ok|not ok) +(?P<name>\d+.*?)\s*$",
    "prove": r"^(?P<name>\S+\.t) \.+ (?P<outcome>ok|\S+)",
    "cargo": r"^test (?P<name>\S.*?) \.\.\. (?P<outcome>ok|FAILED)",
    # each.py's: status and a digest of the output, which must be the same.
    "each": r"^each: (?P<outcome>\S+ \S+) (?P<name>\S.*)$",
}


def pattern_of(results):
    return FORMATS.get(results, results)


def parse(results, status, text):
    """{test: outcome} of one run."""
    outcomes = {STATUS: "ok" if status == 0 else str(status)}
    pattern = pattern_of(results)
    if not pattern:
        return outcomes
    for match in re.finditer(pattern, text, re.M):
        name = match["name"]
        number = 1
        while name in outcomes:
            number += 1
            name = f"{match['name']} ({number})"
        outcomes[name] = match["outcome"]
    return outcomes


def good(outcome):
    return outcome.lower() in GOOD or outcome.startswith("0 ")


def new_failures(originals, rewritten):
    """Tests that are good in each run of the original program, and fail here."""
    failures = []
    for name, outcome in originals[0].items():
        known = {run.get(name, "missing") for run in originals}
        if not all(good(one) for one in known):
            continue
        got = rewritten.get(name, "missing")
        # Output that differs from run to run says nothing.
        if not good(got) or (" " in outcome and len(known) == 1 and got not in known):
            failures.append(name)
    return failures


def tally(originals, rewritten):
    """(passed, failed, fail with the original as well)"""
    failed = len(new_failures(originals, rewritten))
    ours = sum(all(good(run.get(name, "missing")) for run in originals)
               for name in originals[0])
    return ours - failed, failed, len(originals[0]) - ours
