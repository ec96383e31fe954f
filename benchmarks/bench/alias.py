# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of one length for folders.

A program copies its arguments to its stack and its heap, and what it finds there moves with
their length. Lua hashes addresses: it executes other instructions in another checkout.
"""

import contextlib
import hashlib
import os
from pathlib import Path

from .errors import BenchError

PLACE = Path("/tmp")


def alias(folder, place=PLACE):
    """A symbolic link to `folder`, whose name is as long as that of any other."""
    folder = Path(folder).resolve()
    key = hashlib.sha256(f"{os.getuid()}:{folder}".encode()).hexdigest()[:12]
    link = place / f"graupel-bench-{key}"
    try:
        with contextlib.suppress(FileExistsError):
            link.symlink_to(folder)
        if os.readlink(link) != str(folder) or link.lstat().st_uid != os.getuid():
            raise BenchError(f"{link} is not the link to {folder} that a benchmark made; remove it")
    except OSError as error:
        raise BenchError(f"{link}: {error.strerror}") from error
    return link
