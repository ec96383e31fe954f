#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python_tests.py FOLDER REPORT: runs the unittest modules of FOLDER; counts.py reads REPORT."""

import json
import sys
import unittest
from pathlib import Path


class Recorder(unittest.TextTestResult):
    """Remembers the name and the outcome of each test."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.records = {}

    def _record(self, kind, test):
        # A test of which a part failed has failed.
        if self.records.get(test.id()) != "failed":
            self.records[test.id()] = kind

    def addSuccess(self, test):
        super().addSuccess(test)
        self._record("passed", test)

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._record("passed", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._record("skipped", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._record("failed", test)

    def addError(self, test, err):
        super().addError(test, err)
        self._record("failed", test)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._record("failed", test)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._record("failed", test)


def main():
    folder, report = Path(sys.argv[1]).resolve(), sys.argv[2]
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder.parent))
    tests = unittest.defaultTestLoader.discover(str(folder), pattern="test*.py", top_level_dir=str(folder))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Recorder).run(tests)
    records = [(kind, name) for name, kind in result.records.items()]
    with open(report, "w", encoding="utf-8") as file:
        json.dump(records, file)
    return 0 if result.wasSuccessful() and records else 1


if __name__ == "__main__":
    sys.exit(main())
