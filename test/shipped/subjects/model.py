# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a subject is: a file of a package, and what it is given to do."""
import glob
from dataclasses import dataclass, field

CODE = "/usr/lib/x86_64-linux-gnu"


@dataclass
class Subject:
    """A command is for a shell, in a folder with all inputs. $P is the program, $N the number
    of the input: 1 to learn from, 2 to compare and to count; $D is the folder of the file that
    is optimized. What it prints is the same each time."""
    package: str
    file: str                   # What is optimized.
    command: str
    program: str = ""           # That runs, if the file is a library.
    environment: dict = field(default_factory=dict)
    needs: str = ""             # Further packages.
    refused: str = ""           # What graupel-bolt has to say instead of optimizing it.

    def __post_init__(self):
        """Some names have a digest of the version."""
        if "*" in self.file:
            self.file = min(glob.glob(self.file), default=self.file)

    def packages(self):
        return [self.package, *self.needs.split()]


def library(package, file, program, command, **more):
    """A library below CODE, or a file with its folder."""
    return Subject(package, file if file[0] == "/" else f"{CODE}/{file}", command, program=program, **more)
