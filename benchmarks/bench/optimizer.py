# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drives an optimizer with llvm-bolt's command line: instrument, collect, optimize.

All processes of a training run count into one profile. It is exported as fdata,
and all optimizers of a run get that same file.
"""

import os
import shutil
import subprocess
from pathlib import Path

from . import execute
from .cache import digest_of, need_tool
from .errors import BenchError, OutputMismatch


def forget_pages(path):
    """Lets the system read a file anew when it runs. Of one that was just written it maps more
    pages at once, which makes a process up to 8 % larger."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class Optimizer:
    """An llvm-bolt compatible executable."""

    def __init__(self, path):
        self.path = Path(path).resolve()
        if not os.access(self.path, os.X_OK):
            raise BenchError(f"optimizer {path} does not exist or is not executable; build it "
                             "first or name another one (see --help)")
        self.key = digest_of(self.path)
        forget_pages(self.path)

    def knows(self, option):
        """Whether the optimizer has an option of this name."""
        text = subprocess.run([self.path, "--help"], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.decode(errors="replace")
        return any(line.split(" ")[0].split("=")[0].split("[")[0] == f"--{option}"
                   for line in map(str.strip, text.splitlines()))

    def optimize(self, binary, output, flags, what):
        """Write `output`; returns the Cost, or raises with the tool's last words."""
        output.parent.mkdir(parents=True, exist_ok=True)
        output.unlink(missing_ok=True)
        cost = execute.run([self.path, binary, "-o", output, *flags], output.parent, what=what)
        if not output.exists():
            raise BenchError(f"{what}: no output file")
        output.chmod(0o755)
        return cost

    def export(self, counts, profile):
        """Turn what an instrumented program wrote into fdata."""
        result = subprocess.run([self.path, "export", counts, "-o", profile],
                                stderr=subprocess.PIPE, check=False)
        if result.returncode != 0:
            raise BenchError(f"exporting {counts.name} failed: "
                             f"{result.stderr.decode(errors='replace')}")


def fixed_addresses():
    """Words that start a program where its memory is at the same addresses each time: what
    hashes addresses, as Lua does, is counted otherwise in each run, and each profile gives
    another layout. (Where files are still makes a difference.) None where the system forbids it."""
    words = [need_tool("setarch", "util-linux"), "--addr-no-randomize"]
    tried = subprocess.run([*words, "true"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
    return words if tried.returncode == 0 else []


def collect_profile(program, optimizer, baseline, cache):
    """Profile of the program's training workload, made at most once per tool and baseline."""
    profile = cache.dir("profiles") / f"{program.name}.fdata"
    prefix = fixed_addresses()
    key = digest_of(optimizer.key, baseline, prefix, [[str(a) for a in c] for c in program.commands("train")],
                    program.recipe_key())

    def make():
        work = cache.fresh_dir("work", f"profile-{program.name}")
        instrumented = work / "bin" / program.name
        raw = work / "counts"
        optimizer.optimize(baseline, instrumented,
                           ["-instrument", f"-instrumentation-file={raw}"],
                           f"instrumenting {program.name}")
        cache.progress.step(f"training run of {program.name}")
        expected = program.run(baseline, "train", work / "run" / "scratch")
        got = program.run(instrumented, "train", work / "run" / "scratch", prefix)
        if got.output != expected.output:
            raise OutputMismatch(f"{program.name}: the instrumented program computes something else")
        if not raw.exists():
            raise BenchError(f"the training run of {program.name} left no profile")
        optimizer.export(raw, profile)
        shutil.rmtree(work)

    cache.once(f"profile-{program.name}", key, [profile], make, f"profiling {program.name}")
    return profile
