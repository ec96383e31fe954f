# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC's testsuite from Debian's source package, and what its tests ask for.

Nothing of it is part of Graupel: it is fetched when it is needed and stays in a
cache folder under build/.
"""

import fcntl
import re
import shutil
import subprocess
from pathlib import Path

PACKAGE = "gcc-12-source"
FOLDERS = ("gcc.c-torture/execute", "g++.dg/eh", "g++.dg/torture", "g++.old-deja/g++.eh")


class NotAvailable(Exception):
    """The package cannot be had here."""


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", **options)
    if result.returncode:
        said = (result.stderr or result.stdout).strip().splitlines()
        raise NotAvailable(f"{' '.join(command[:2])}: {said[-1] if said else 'failed'}")
    return result.stdout


def unpack(package, folder):
    """Takes the tests out of the tar file inside of the Debian package."""
    archive = folder / "archive"
    archive.mkdir()
    run(["sh", "-c", 'dpkg-deb --fsys-tarfile "$0" | tar x -C "$1" --wildcards "*/gcc-*.tar.*"',
         str(package), str(archive)])
    sources = next(archive.glob("usr/src/*/gcc-*.tar.*"), None)
    if not sources:
        raise NotAvailable(f"{package.name} holds no sources")
    run(["tar", "xf", str(sources), "-C", str(folder), "--strip-components=1", "--wildcards",
         *(f"*/gcc/testsuite/{name}" for name in FOLDERS)])
    shutil.rmtree(archive)


def fetch(cache):
    """The folder gcc/testsuite, downloaded unless it is in \\p cache."""
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        tests = cache / "gcc" / "testsuite"
        if tests.is_dir():
            return tests
        for tool in ("apt-get", "dpkg-deb"):
            if not shutil.which(tool):
                raise NotAvailable(f"{tool} was not found")
        half_done = cache / "unpacking"
        shutil.rmtree(half_done, ignore_errors=True)
        half_done.mkdir()
        run(["apt-get", "download", "-q", PACKAGE], cwd=half_done)
        package = next(half_done.glob("*.deb"), None)
        if not package:
            raise NotAvailable(f"apt-get downloaded no {PACKAGE}")
        unpack(package, half_done)
        (half_done / "gcc").rename(cache / "gcc")
        shutil.rmtree(half_done)
        return tests


class Test:
    """One source file, with what its dg- comments ask for."""

    DIRECTIVE = re.compile(r"\{\s*dg-([a-z-]+)\s+(.*?)\s*\}\s*(?:\*/|$)", re.M)

    def __init__(self, path, root):
        self.path = path
        self.name = str(path.relative_to(root))
        self.is_cxx = path.suffix == ".C"
        text = path.read_text(encoding="latin-1")
        self.directives = self.DIRECTIVE.findall(text)
        # g++'s tests are compiled only unless they say otherwise.
        action = next((rest for what, rest in self.directives if what == "do"), None)
        self.runs = not self.is_cxx if action is None else action.split()[0] == "run"

    def flags(self):
        """Of dg-options and dg-additional-options, those for this target."""
        flags = []
        for what, rest in self.directives:
            if what not in ("options", "additional-options"):
                continue
            quoted = re.match(r'\{?\s*"([^"]*)"\s*\}?\s*(.*)', rest)
            if quoted and self._is_for_us(quoted[2]):
                flags += quoted[1].split()
        return flags

    @staticmethod
    def _is_for_us(selector):
        if not selector:
            return True
        wanted = "x86_64" in selector or "*-*-*" in selector or "fpic" in selector
        return wanted and "!" not in selector and "ia32" not in selector


def find_tests(root):
    """All tests that are programs, in the order of their names."""
    # builtins/ is linked from several files each and tests the compiler's library.
    files = [*(root / FOLDERS[0]).glob("*.c"), *(root / FOLDERS[0] / "ieee").glob("*.c"),
             *(file for name in FOLDERS[1:] for file in (root / name).rglob("*.C"))]
    tests = (Test(file, root) for file in files)
    return sorted((test for test in tests if test.runs), key=lambda test: test.name)
