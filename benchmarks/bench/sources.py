# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream sources of the benchmark programs, from Debian's source packages.

Nothing is vendored and the user's apt configuration is never touched: apt gets a
private sources file and a private lists directory under the cache. Only the
upstream tarballs are fetched; Debian's patches are not needed for a benchmark and
skipping them avoids needing dpkg-dev. apt verifies the archive signature.
"""

import os
import subprocess
from pathlib import Path

from .cache import checked, digest_of, need_tool
from .errors import BenchError

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def _codename():
    for line in Path("/etc/os-release").read_text().splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip().strip('"')
    raise BenchError("cannot tell the Debian release: no VERSION_CODENAME in /etc/os-release")


def _mirror(codename):
    """The archive the user's own apt uses for this machine's release."""
    text = checked([need_tool("apt-get", "apt"), "indextargets", "--format",
                    "$(REPO_URI) $(RELEASE)", "Created-By: Packages"], what="apt-get indextargets")
    for line in sorted(set(text.splitlines())):
        uri, _, release = line.partition(" ")
        if release == codename and "security" not in uri:
            return uri
    raise BenchError(f"apt knows no archive for {codename}; run 'apt-get update' first "
                     "or put the source tarball into the cache's downloads/ folder")


def wrappers(names):
    """How many folders a tarball with these members (one a line) wraps its tree in: one or none.
    Some upstream tarballs have their files at the top."""
    paths = [name.removeprefix("./") for name in names.splitlines()]
    paths = [path for path in paths if path]
    single = len({path.partition("/")[0] for path in paths}) == 1
    # tar counts a leading "./" as a folder, too.
    leading = names.startswith("./")
    return int(leading) + int(single and any("/" in path for path in paths))


class Sources:
    """Fetches and unpacks upstream tarballs of one Debian release into the cache, by default of
    the one that runs. Releases need caches of their own."""

    def __init__(self, cache, release=None):
        self.cache = cache
        self.release = release
        self.downloads = cache.dir("downloads")

    def _apt(self, *arguments, what):
        apt = self.cache.dir("apt")
        options = ["-q", "-o", "Dir::Etc::sourcelist=/dev/null",
                   "-o", f"Dir::Etc::sourceparts={apt}/parts",
                   "-o", f"Dir::State::lists={apt}/lists",
                   "-o", "APT::Sandbox::User=root",
                   "-o", "Acquire::Retries=2"]
        command = [need_tool("apt-get", "apt"), *options, *arguments]
        result = subprocess.run(command, cwd=self.downloads, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                env={**os.environ, "LC_ALL": "C"})
        text = result.stdout.decode(errors="replace").strip()
        # `apt-get update` reports unreachable archives as warnings with status 0.
        if result.returncode != 0 or "Failed to fetch" in text:
            last = "\n  ".join(text.splitlines()[-6:])
            raise BenchError(f"{what} failed; is the network reachable?\n  {last}")

    def _enable(self):
        """Private deb-src entry for the release, updated once per cache."""
        running = _codename()
        codename = self.release or running
        if not KEYRING.exists():
            raise BenchError(f"{KEYRING} is missing (Debian package: debian-archive-keyring)")
        entry = self.cache.dir("apt", "parts") / "graupel.sources"
        self.cache.dir("apt", "lists", "partial")

        def update():
            entry.write_text(f"Types: deb-src\nURIs: {_mirror(running)}\nSuites: {codename}\n"
                             f"Components: main\nSigned-By: {KEYRING}\n")
            self._apt("update", what="apt-get update (source index)")

        self.cache.once("apt-index", digest_of(codename), [entry], update,
                        "fetching Debian's source index")

    def tarball(self, package):
        """Path of the package's upstream tarball, downloaded if need be."""
        def present():
            found = [p for p in sorted(self.downloads.glob(f"{package}_*.orig.tar.*"))
                     if p.suffix != ".asc"]
            return found[-1] if found else None

        with self.cache.locked(f"download-{package}"):
            path = present()
            if path is None:
                self._enable()
                self.cache.progress.step(f"fetching source package {package}")
                self._apt("source", "--download-only", "--tar-only", package,
                          what=f"fetching source package {package}")
                path = present()
        if path is None:
            raise BenchError(f"source package {package} has no upstream tarball")
        return path

    def tree(self, package):
        """Directory with the unpacked upstream source; builds must not write into it."""
        tarball = self.tarball(package)
        tree = self.cache.root / "src" / package

        def unpack():
            self.cache.fresh_dir("src", package)
            names = checked([need_tool("tar", "tar"), "tf", tarball], what=f"reading {tarball.name}")
            checked(["tar", "xf", tarball, "-C", tree, f"--strip-components={wrappers(names)}"],
                    what=f"unpacking {tarball.name}")

        self.cache.once(f"src-{package}", digest_of(tarball.name, tarball.stat().st_size), [tree],
                        unpack, f"unpacking {tarball.name}")
        return tree
