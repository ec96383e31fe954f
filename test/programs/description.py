# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What packages/NAME.toml says of a package, checked while it is read.

  source   Debian source packages; the first one is copied to where it is built, the
           others are beside it, read only, as $SOURCE_2 and so on
  crate    instead of source: a Rust crate and its version; `cargo vendor` in the
           folder where it is built fetches it into vendor/
  about    what it is, in a few words
  tags     of TAGS
  configs  configurations that it is built with, see toolchain.py
  tools    pairs: a program that building or testing needs, its Debian package
  build    shell commands, run in the copy of the source
  rewrite  what graupel-bolt rewrites: patterns of paths, ** for any folders
  keep     patterns of files that are not rewritten, although rewrite has them
  test     the suite's command
  train    the part of it that a profile is made of (default: test)
  results  how results are counted: a name or a pattern, see outcomes.py
  distro   commands that run Debian's own programs over the rewritten libraries
  minutes  a build or a run of the suite that takes longer is stuck (default: 20)
  ci       true if continuous integration runs it
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "packages"
TAGS = {"c", "cxx", "exceptions", "asm", "fortran", "rust", "musl", "static", "library"}


@dataclass
class Package:
    """One description. Field names are those of the file."""
    name: str
    file: Path
    about: str
    tags: list
    configs: list
    build: list
    rewrite: list
    test: str
    source: list = field(default_factory=list)
    crate: str = ""
    keep: list = field(default_factory=list)
    train: str = ""
    results: object = "exit"
    tools: list = field(default_factory=list)
    distro: list = field(default_factory=list)
    minutes: float = 20
    ci: bool = False

    def __post_init__(self):
        unknown = set(self.tags) - TAGS
        if unknown:
            raise ValueError(f"{self.file}: unknown tags {sorted(unknown)}")
        if bool(self.source) == bool(self.crate):
            raise ValueError(f"{self.file}: needs source or crate")
        self.train = self.train or self.test


def load(path):
    with path.open("rb") as file:
        table = tomllib.load(file)
    try:
        return Package(name=path.stem, file=path, **table)
    except TypeError as error:
        raise ValueError(f"{path}: {error}") from None


def load_all():
    """{name: Package}, by name."""
    return {path.stem: load(path) for path in sorted(FOLDER.glob("*.toml"))}
