# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites one build in each mode, and compares its suite's results."""

import datetime
import hashlib
import shlex
import shutil
import subprocess
from pathlib import Path

import outcomes
from bench.cache import digest_of
from bench.errors import BenchError

# Mode: does it use the profile, and options.
MODES = {
    "instrumented": (False, ["-instrument"]),
    "profile": (True, []),
    "plain": (False, []),
    "hco": (True, ["-hco", "-hco-growth=1000"]),
    "spike": (True, ["-layout=spike"]),
    "random": (True, ["-hco", "-hco-growth=1000", "-hco-random=1"]),
    "invert": (True, ["-hco", "-hco-growth=1000", "-hco-invert"]),
    "stress": (False, ["-stress-layout=1"]),
}
NORMAL_MODES = ["instrumented", "profile", "plain", "hco", "spike"]


class Tool:
    """graupel-bolt, and which one."""

    def __init__(self, path, label):
        self.path = path
        try:
            self.hash = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
        except OSError as error:
            raise SystemExit(f"programs/run.py: error: {path}: {error.strerror}; build graupel-bolt "
                             "first or name it with GRAUPEL_BOLT") from None
        self.commit = label or commit_of(Path(__file__).parent)


def commit_of(folder):
    result = subprocess.run(["git", "-C", folder, "rev-parse", "--short=10", "HEAD"],
                            capture_output=True, text=True, check=False)
    return result.stdout.strip() or "unknown"


class Checker:
    """A workspace with the options of this run."""

    def __init__(self, workspace, tool, options, state, again):
        self.workspace, self.tool, self.options = workspace, tool, options
        self.state, self.again = state, again
        self.package = workspace.package

    def key(self, mode):
        package = self.package
        return digest_of(self.tool.hash, self.workspace.key(), package.test, package.train,
                         package.results, package.distro, MODES[mode], self.options)

    def name(self, mode):
        return f"{self.workspace.name}/{mode}"

    def check(self, modes):
        """(mode, record) for each mode."""
        known = {mode: None if self.again else self.state.done(self.name(mode), self.key(mode))
                 for mode in modes}
        if not all(known.values()):
            self.workspace.prepare()
            self.originals = [self.baseline()]
        for mode in modes:
            record = known[mode]
            if not record:
                record = self.check_mode(mode)
                self.state.put(self.name(mode), record)
            yield mode, record

    def baseline(self):
        """What the suite says of the original. Its time bounds the other runs."""
        outcome, self.seconds = self.observe("original", 60 * self.package.minutes)
        good = sum(map(outcomes.good, outcome.values()))
        if good == 0:
            raise BenchError(f"no test passes with the original: {self.workspace.folder}/logs/"
                             "original-suite.log")
        return outcome

    def observe(self, mode, limit, command=None):
        """({test: outcome}, seconds) with a mode's files in place."""
        workspace = self.workspace
        workspace.install(mode)
        try:
            status, text, seconds = workspace.run(command or self.package.test, f"{mode}-suite",
                                                  limit)
            outcome = outcomes.parse(self.package.results, status, text)
            if command is None:
                for number, distro in enumerate(self.package.distro, 1):
                    status, text, _ = workspace.run(distro, f"{mode}-distro-{number}", limit,
                                                    LIBS=workspace.libraries())
                    outcome[f"Debian's: {distro}"] = f"{status} {digest_of(text)[:12]}"
        finally:
            workspace.install("original")
        return outcome, seconds

    def limit(self):
        return max(180, min(20 * self.seconds, 60 * self.package.minutes))

    def train(self):
        """Makes the profile from the training part, once for each graupel-bolt."""
        folder = self.workspace.folder
        stamp = folder / "trained.key"
        key = digest_of(self.tool.hash, self.workspace.key(), self.package.train)
        if stamp.exists() and stamp.read_text() == key:
            return
        stamp.unlink(missing_ok=True)
        self.instrument()
        self.observe("instrumented", self.limit(), self.package.train)
        # What other runs count later is not to get into it.
        shutil.rmtree(folder / "trained", ignore_errors=True)
        shutil.copytree(folder / "counts", folder / "trained")
        stamp.write_text(key)

    def instrument(self):
        folder = self.workspace.folder / "counts"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return self.rewrite("instrumented")

    def rewrite(self, mode):
        """Makes a mode's files: {path: (command, what graupel-bolt said or None)}."""
        uses_profile, options = MODES[mode]
        workspace = self.workspace

        def options_of(path):
            words = [*options, *self.options]
            if mode == "instrumented":
                words.append(f"-instrumentation-file={workspace.profile(path)}")
            trained = workspace.folder / "trained" / workspace.profile(path).name
            # A program that the training did not run has none.
            if uses_profile and trained.exists():
                words.append(f"-data={trained}")
            return words
        return workspace.rewrite(mode, options_of, self.tool.path)

    def check_mode(self, mode):
        """The record of a mode."""
        if MODES[mode][0]:
            self.train()
        said = self.instrument() if mode == "instrumented" else self.rewrite(mode)
        record = {
            "key": self.key(mode), "graupel": self.tool.hash, "commit": self.tool.commit,
            "date": f"{datetime.datetime.now():%Y-%m-%d %H:%M}", "package": self.package.name,
            "config": self.workspace.config, "mode": mode, "files": len(said),
            "refused": [[path.name, why] for path, (_, why) in said.items() if why],
            "command": f"test/programs/run.py {self.package.name} --config "
                       f"{self.workspace.config} --modes {mode}",
            "example": shlex.join(next(iter(said.values()))[0])}
        if len(record["refused"]) < len(said):
            outcome, _ = self.observe(mode, self.limit())
            failed = outcomes.new_failures(self.originals, outcome)
            if failed:
                failed, outcome = self.confirm(mode, failed)
            passed, _, original = outcomes.tally(self.originals, outcome)
        else:
            failed, passed, original = [], 0, 0
        return {**record, "passed": passed, "failed": failed, "original": original}

    def confirm(self, mode, failed):
        """Those that fail again while the original passes again, and the second run's
        outcome."""
        again, _ = self.observe(mode, self.limit())
        self.originals.append(self.observe("original", self.limit())[0])
        second = outcomes.new_failures(self.originals, again)
        return [test for test in failed if test in second], again
