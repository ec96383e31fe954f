# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One package built in one configuration: its folder, its files, its suite.

  tree/       the copy of the source, built there
  tools/      the compilers' wrappers
  original/   the files as the linker made them
  MODE/       the files as graupel-bolt made them
  counts/     what they counted; trained/ is a copy of it after the training
  home/       $HOME of everything that runs
  logs/

Files are replaced in place, each by a new one under the old name and with the old
time: make must not build again, and a program that still runs keeps its file.
"""

import concurrent.futures
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from bench.cache import digest_of
from bench.errors import BenchError
from elf import has_relocations, linked
from toolchain import Toolchain

HERE = Path(__file__).resolve().parent


def run_bounded(command, cwd, env, log, seconds):
    """(status, output) of a shell command; status "timeout" if it does not end. What it
    started ends with it."""
    with log.open("wb") as output:
        child = subprocess.Popen(["sh", "-c", command], cwd=cwd, env=env, stdout=output,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                 start_new_session=True)
        try:
            status = child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            status = "timeout"
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
    return status, log.read_text(encoding="utf-8", errors="replace")


class Workspace:
    """A package in a configuration."""

    def __init__(self, package, config, cache, sources, jobs):
        self.package, self.config, self.jobs = package, config, jobs
        self.cache, self.sources = cache, sources
        self.name = f"{package.name}/{config}"
        self.folder = cache.root / "builds" / package.name / config
        self.tree = self.folder / "tree"
        self.toolchain = Toolchain(config, self.folder / "tools")
        self.files = []

    # --- building ---------------------------------------------------------------
    def key(self):
        """What the build depends on."""
        package = self.package
        return digest_of(package.source, package.crate, package.build, package.rewrite,
                         package.keep, *self.toolchain.recipe())

    def prepare(self):
        """Builds unless that is done, and finds the files to rewrite."""
        package = self.package
        for tool, debian in package.tools:
            if shutil.which(tool) is None and not Path(tool).exists():
                raise BenchError(f"'{tool}' is not installed (Debian package: {debian})")
        stamp = f"build-{package.name}-{self.config}"
        self.cache.once(stamp, self.key(), [self.tree], self.build, f"building {self.name}")
        self.restore()
        self.files = self.find()
        for path in self.files:
            original = self.stored("original", path)
            if not original.exists():
                original.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, original)

    def build(self):
        package = self.package
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("logs", "home", "counts"):
            (self.folder / name).mkdir(parents=True)
        self.toolchain.make()
        if package.crate:
            self.crate_tree(*package.crate.split())
        else:
            shutil.copytree(self.sources.tree(package.source[0]), self.tree, symlinks=True)
        env = self.environment()
        for number, command in enumerate(package.build, 1):
            log = self.folder / "logs" / f"build-{number}.log"
            status, text = run_bounded(command, self.tree, env, log, 60 * package.minutes)
            if status != 0:
                tail = "\n    ".join(text.strip().splitlines()[-8:])
                raise BenchError(f"does not build, status {status}:\n    {tail}\n    {log}")

    def crate_tree(self, name, version):
        """A package that depends on the crate: `cargo vendor` puts that beside it."""
        (self.tree / "src").mkdir(parents=True)
        (self.tree / "src" / "lib.rs").touch()
        (self.tree / "Cargo.toml").write_text(
            f'[package]\nname = "holder"\nversion = "0.1.0"\nedition = "2021"\n'
            f'[dependencies]\n{name} = "={version}"\n')

    def environment(self, **more):
        if self.package.crate:
            for variable, folder in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")):
                more.setdefault(variable, os.environ.get(variable, str(Path.home() / folder)))
            more["RUSTFLAGS"] = (f"-C linker={self.toolchain.folder}/cc "
                                 f"-C opt-level={self.toolchain.level[-1]}")
        others = {f"SOURCE_{n}": str(self.sources.tree(name))
                  for n, name in enumerate(self.package.source[1:], 2)}
        return {**os.environ, "LC_ALL": "C", "TZ": "UTC", "HOME": str(self.folder / "home"),
                "JOBS": str(self.jobs), "TREE": str(self.tree), "EACH": str(HERE / "each.py"),
                "PYTHONDONTWRITEBYTECODE": "1", **self.toolchain.environment(), **others, **more}

    def find(self):
        """The files to rewrite, each once, whatever links lead to it."""
        found = set()
        for pattern in self.package.rewrite:
            found.update(p.resolve() for p in self.tree.glob(pattern) if p.is_file())
        for pattern in self.package.keep:
            found.difference_update(p.resolve() for p in self.tree.glob(pattern))
        files = sorted(p for p in found if self.tree in p.parents and linked(p))
        bare = [p for p in files if not has_relocations(p)]
        if bare or not files:
            what = f"{bare[0]} was linked without --emit-relocs" if bare else "no file to rewrite"
            raise BenchError(f"{self.name}: {what}; see {self.folder}/logs")
        return files

    # --- files ------------------------------------------------------------------
    def stored(self, mode, path):
        return self.folder / mode / path.relative_to(self.tree)

    def install(self, mode):
        """Puts a mode's files into the tree; where there is none, the original."""
        for path in self.files:
            original = self.stored("original", path)
            source = self.stored(mode, path)
            fresh = path.with_name(path.name + ".graupel-new")
            shutil.copy2(source if source.exists() else original, fresh)
            shutil.copystat(original, fresh)
            os.replace(fresh, path)

    def restore(self):
        """The originals, also after a run that was killed."""
        folder = self.folder / "original"
        self.files = [self.tree / p.relative_to(folder)
                      for p in sorted(folder.rglob("*")) if p.is_file()]
        self.install("original")

    def rewrite(self, mode, options, tool):
        """Runs graupel-bolt on each file: {path: (command, what it said or None)}."""
        shutil.rmtree(self.folder / mode, ignore_errors=True)

        def one(path):
            output = self.stored(mode, path)
            output.parent.mkdir(parents=True, exist_ok=True)
            command = [tool, str(self.stored("original", path)), "-o", str(output),
                       *options(path)]
            try:
                result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                        text=True, errors="replace", check=False, timeout=1800)
                said = result.stdout + result.stderr
                status = result.returncode
            except subprocess.TimeoutExpired:
                said, status = "does not end", 1
            log = self.folder / "logs" / f"{mode}-{path.name}.log"
            log.write_text(said)
            return command, None if status == 0 else said.strip()[-1500:] or f"status {status}"

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return dict(zip(self.files, pool.map(one, self.files)))

    def profile(self, path):
        return self.folder / "counts" / str(path.relative_to(self.tree)).replace("/", "+")

    # --- running ----------------------------------------------------------------
    def run(self, command, label, seconds, **more):
        """(status, output, seconds)"""
        begin = time.monotonic()
        status, text = run_bounded(command, self.tree, self.environment(**more),
                                   self.folder / "logs" / f"{label}.log", seconds)
        return status, text, time.monotonic() - begin

    def libraries(self):
        """A search path over the rewritten libraries' folders."""
        return ":".join(sorted({str(p.parent) for p in self.files if ".so" in p.name}))

    def discard(self):
        """Removes the build; what was found out stays."""
        shutil.rmtree(self.folder, ignore_errors=True)
