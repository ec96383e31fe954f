# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expensive steps happen once: stamp files keyed on everything that went into a step.

A stamp is written after its step succeeded and holds the step's key. Same key and
all products present: the step is skipped, without touching the network. A killed
step leaves no stamp and simply runs again into a fresh directory. Several processes
may share a cache: who needs a step that another process is at waits for it.
"""

import fcntl
import hashlib
import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

from .errors import BenchError


def digest_of(*parts):
    """Short key for any mix of strings, bytes, numbers, lists and file paths (by content)."""
    hasher = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            # Streamed: this process's peak memory is the floor of its children's.
            with part.open("rb") as file:
                data = hashlib.file_digest(file, "sha256").digest()
        elif isinstance(part, bytes):
            data = part
        else:
            data = json.dumps(part, sort_keys=True).encode()
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()[:24]


class Cache:
    """A directory tree of products and their stamps."""

    def __init__(self, root, progress):
        self.root = Path(root).absolute()
        self.progress = progress
        self.stamps = self.root / "stamps"
        self.locks = self.root / "locks"
        self.stamps.mkdir(parents=True, exist_ok=True)
        self.locks.mkdir(exist_ok=True)

    def dir(self, *names):
        path = self.root.joinpath(*names)
        path.mkdir(parents=True, exist_ok=True)
        return path

    def fresh_dir(self, *names):
        path = self.root.joinpath(*names)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    @contextmanager
    def locked(self, name):
        """While one process holds the lock `name`, others wait; a killed one lets go of it.
        It is not recursive."""
        with (self.locks / name).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def once(self, name, key, products, action, title=None):
        """Run action unless the stamp `name` already carries `key` and all products exist."""
        stamp = self.stamps / name
        products = [Path(p) for p in products]
        with self.locked(name):
            if stamp.exists() and stamp.read_text() == key and all(p.exists() for p in products):
                return False
            stamp.unlink(missing_ok=True)
            self.progress.step(title or name)
            action()
            for product in products:
                if not product.exists():
                    raise BenchError(f"step '{name}' ended without making {product}")
            stamp.write_text(key)
        return True


def need_tool(name, package):
    """Path of an installed tool, or an error that names the Debian package."""
    path = shutil.which(name)
    if path is None:
        raise BenchError(f"'{name}' is not installed (Debian package: {package})")
    return path


def checked(argv, cwd=None, log=None, what=None):
    """Run a build command; on failure show the end of its output, not all of it."""
    result = subprocess.run([str(a) for a in argv], cwd=cwd, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = result.stdout.decode(errors="replace")
    if log is not None:
        Path(log).write_text(text)
    if result.returncode != 0:
        tail = "\n  ".join(text.strip().splitlines()[-15:])
        where = f"\n(full log: {log})" if log else ""
        raise BenchError(f"{what or argv[0]} failed with status {result.returncode}:\n  {tail}{where}")
    return text
