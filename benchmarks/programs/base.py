# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a benchmark program must offer, so that the families need not know any of them.

A program knows how to build its baseline, which input data it needs, and which
commands make up a workload. Workloads come in four kinds: `train` collects the
profile, `reference` is timed, `quick` is a shorter reference, and `count` is a
reference small enough for an instruction-level simulator. Training and reference
inputs always differ; otherwise a layout would be judged on the input it was fitted to.

Whatever a run leaves in its scratch directory, and its standard output unless that
contains timings, is its result; all variants of a program must produce the same.
"""

import hashlib
import inspect
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bench import execute
from bench.alias import alias
from bench.cache import digest_of, need_tool

# Relocations let the optimizer move code between functions. The compiler's own
# hot/cold splitting is off because it hides function parts from the optimizer.
C_FLAGS = ["-O2", "-g0", "-fno-reorder-blocks-and-partition"]
LINK_FLAGS = ["-Wl,--emit-relocs"]


@dataclass
class Result:
    """One run of a workload: summed times of its processes, and what it computed."""
    user_time: float
    output: str
    system_time: float = 0.0


class Program:
    """Base of all programs; subclasses fill in the recipe."""
    name = ""
    about = ""
    package = ""            # Debian source package of the program
    keep_stdout = True      # False when the program prints timings
    repeatable = True       # False when even instruction counts vary between runs
    compiler = ("gcc", "gcc")
    exact_kind = "train"    # the workload to compare counts on; runs under callgrind
    call_intensive = True   # False where little time goes into calling and returning
    drop_flags = {}         # llvm-bolt flags that break this program: {flag: why}

    def __init__(self, cache, sources, progress):
        self.cache = cache
        self.sources = sources
        self.progress = progress
        here = Path(inspect.getfile(type(self))).resolve().parent
        self.here = alias(here.parent) / here.name

    # Recipe: to be provided by each program.

    def build(self, tree, work, target):
        """Compile `tree` in the empty directory `work`; leave the executable in `target`."""
        raise NotImplementedError

    def inputs(self):
        """Make input data in the cache if the workloads need any."""

    def commands(self, kind):
        """The workload as argument lists (without the executable), run in order."""
        raise NotImplementedError

    # Shared behavior.

    def recipe_key(self):
        """Changes when the recipe, the shared flags or the compiler change."""
        version = subprocess.run([need_tool(*self.compiler), "--version"], check=False,
                                 stdout=subprocess.PIPE).stdout
        files = [p for p in sorted(self.here.glob("*")) if p.suffix in (".py", ".cpp", ".h")]
        return digest_of(self.name, C_FLAGS, LINK_FLAGS, version.splitlines()[:1][0], *files)

    def baseline(self):
        """Path of the unoptimized executable, built at most once per recipe."""
        target = self.cache.dir("programs", self.name) / self.name

        def make():
            tree = self.sources.tree(self.package) if self.package else None
            work = self.cache.fresh_dir("work", self.name)
            target.unlink(missing_ok=True)
            self.progress.step(f"building {self.name}")
            self.build(tree, work, target)
            shutil.rmtree(work)

        self.cache.once(f"build-{self.name}", self.recipe_key(), [target], make,
                        f"preparing {self.name}")
        return target

    def run(self, binary, kind, scratch, prefix=()):
        """Run a workload in the emptied directory `scratch`."""
        empty(scratch)
        user_time = system_time = 0.0
        stdout = scratch / "stdout" if self.keep_stdout else None
        for arguments in self.commands(kind):
            argv = [*execute.fixed_layout_prefix(), *prefix, binary, *arguments]
            cost = execute.run(argv, scratch, stdout, what=f"{self.name} ({kind})")
            user_time += cost.user_time
            system_time += cost.system_time
        return Result(user_time, digest_tree(scratch), system_time)


def empty(directory):
    """Remove everything inside a directory, which keeps existing."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)


def digest_tree(directory):
    """One hash over all files below a directory, names included."""
    hasher = hashlib.sha256()
    for path in sorted(p for p in directory.rglob("*") if p.is_file()):
        hasher.update(str(path.relative_to(directory)).encode() + b"\0")
        with path.open("rb") as file:
            hasher.update(hashlib.file_digest(file, "sha256").digest())
    return hasher.hexdigest()
