# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progress on stderr: one self-overwriting line on a terminal, one line per step in a log.

Results go to stdout only, so `run.py ... > table.md` stays clean, and a CI log is
not filled with carriage returns.
"""

import sys
import time


class Progress:
    """Announces steps and how long each one took."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()
        self.started = time.monotonic()

    def step(self, text):
        """A step worth a line of its own in a log."""
        stamp = f"[{time.monotonic() - self.started:6.1f}s]"
        if self.live:
            self.stream.write(f"\r\033[K{stamp} {text}")
        else:
            self.stream.write(f"{stamp} {text}\n")
        self.stream.flush()

    def tick(self, text):
        """A detail (round 3 of 10) that only a terminal shows."""
        if self.live:
            self.step(text)

    def note(self, text):
        """Something the reader should still see after the run."""
        if self.live:
            self.stream.write("\r\033[K")
        self.stream.write(f"note: {text}\n")
        self.stream.flush()

    def done(self):
        if self.live:
            self.stream.write("\r\033[K")
            self.stream.flush()
