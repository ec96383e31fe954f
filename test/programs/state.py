# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was found out so far: one record a package, configuration and mode.

Kept in a JSON file that several runners may write to. A record names everything
that it depends on, so that a run that was stopped goes on where it was.
"""

import fcntl
import json
import os
from contextlib import contextmanager


class State:
    """The records, read from the file each time."""

    def __init__(self, folder):
        self.path = folder / "results.json"
        self.lock_path = folder / "results.lock"

    def read(self):
        try:
            return json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}

    @contextmanager
    def locked(self):
        with self.lock_path.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def done(self, name, key):
        """The record of this name, if nothing it depends on has changed."""
        record = self.read().get(name)
        return record if record and record["key"] == key else None

    def put(self, name, record):
        with self.locked():
            records = self.read()
            records[name] = record
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(records, indent=1, sort_keys=True), encoding="utf-8")
            os.replace(fresh, self.path)
