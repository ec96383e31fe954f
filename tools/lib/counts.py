#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""counts.py FORMAT REPORT: a test report as `PASSED FAILED SKIPPED`, then names.

The names are those of failed and skipped tests, and of tests that passed when
they were tried again. FORMAT is lit (lit -o), gtest
(--gtest_output=json), python (python_tests.py), log (lines `ok - NAME`,
`ok - NAME # SKIP WHY` and `not ok - NAME`) or summary (ends with `N passed, N failed`, maybe more). A report that is
missing or broken counts as nothing passed; the caller has the runner's status to
tell a crash by.
"""

import json
import re
import sys

LIT_PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
LIT_SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def lit(text):
    for test in json.loads(text)["tests"]:
        code = test["code"]
        if code == "FLAKYPASS":
            yield "again", test["name"]
        kind = ("passed" if code in LIT_PASSED else
                "skipped" if code in LIT_SKIPPED else "failed")
        yield kind, test["name"]


def gtest(text):
    for suite in json.loads(text)["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name']}.{test['name']}"
            if test.get("failures"):
                yield "failed", name
            elif test.get("status") == "NOTRUN" or test.get("result") in ("SKIPPED", "SUPPRESSED"):
                yield "skipped", name
            else:
                yield "passed", name


def python(text):
    yield from json.loads(text)


def log(text):
    for line in text.splitlines():
        if line.startswith("ok - "):
            yield "skipped" if " # SKIP" in line else "passed", line[5:]
        elif line.startswith("not ok - "):
            yield "failed", line[9:]


def summary(text):
    lines = text.strip().splitlines()
    match = re.fullmatch(r"(\d+) passed, (\d+) failed(?:, .*)?", lines[-1].strip() if lines else "")
    if match:
        yield from [("passed", "")] * int(match[1])
        yield from [("failed", "see the log")] * int(match[2])


FORMATS = {"lit": lit, "gtest": gtest, "python": python, "log": log, "summary": summary}


def main():
    form, report = sys.argv[1:]
    try:
        with open(report, encoding="utf-8", errors="replace") as file:
            tests = list(FORMATS[form](file.read()))
    except (OSError, ValueError):
        tests = []
    print(*(sum(kind == wanted for kind, _ in tests) for wanted in ("passed", "failed", "skipped")))
    for wanted, word in (("failed", "failed"), ("skipped", "not supported"),
                       ("again", "passed at its second try")):
        for kind, name in tests:
            if kind == wanted:
                print(f"{word}: {name}")


if __name__ == "__main__":
    main()
