# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An instrumented program is started with a profile that is damaged, somebody else's
or none at all: it must run as if it were not instrumented, and leave alone what is
not its own."""

import os
import stat
import subprocess

import gprofilemutators
import profilemutators
from gprofilemutators import PAGE

KINDS = ["damaged", "damaged", "damaged", "blind", "foreign", "directory", "fifo", "full",
         "dangling", "read-only", "small-disk", "holes-small-disk", "zeros", "nowhere"]
PLAN = slice(16, 120)  # of the header: what must be the same to be counted into


def is_own(content, seed):
    """Whether the program may count into a file."""
    if content[:12] == seed[:12] and content[12:16] == bytes(4) and content[PLAN] == seed[PLAN]:
        return True
    return is_unfinished(content, seed)


def is_unfinished(content, seed):
    """What a program leaves that dies while it makes the file."""
    head = seed[:int.from_bytes(seed[72:80], "little")]
    return len(content) <= len(head) and not any(content[:PAGE]) and all(
        a in (0, b) for a, b in zip(content, head))


class Disk:
    """A file system of `size` KB over `folder`, where we may mount one."""

    def __init__(self, folder, size):
        self.folder, self.size = folder, size

    def __enter__(self):
        return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.size}k,mode=777", "none",
                               self.folder], stderr=subprocess.DEVNULL).returncode == 0

    def __exit__(self, *_):
        subprocess.run(["umount", self.folder], stderr=subprocess.DEVNULL, check=False)


def fill(path):
    with open(path, "wb", 0) as file:
        try:
            while file.write(bytes(PAGE)) == PAGE:
                pass
        except OSError:
            pass


def put(path, content, sparse=False):
    """`sparse` leaves holes for zeros."""
    with open(path, "wb") as file:
        for at in range(0, len(content), PAGE):
            page = content[at:at + PAGE]
            if sparse and not any(page):
                file.seek(at + len(page))
            else:
                file.write(page)
        file.truncate(len(content))
    os.chmod(path, 0o666)


class Start:
    """Puts something where the profile is expected."""

    def __init__(self, rng, folder, seed, others):
        self.rng, self.folder, self.seed, self.others = rng, folder, seed, others
        self.path = os.path.join(folder, "seed.gprofile")
        self.kind = rng.choice(KINDS)
        self.what = self.kind

    def prepare(self):
        """Returns the size of the disk the folder needs, or 0."""
        if self.kind == "holes-small-disk":
            return 64 + len(self.seed) // 1024
        return self.rng.choice([16, 64, 300]) if self.kind == "small-disk" else 0

    def arrange(self):
        """Once the disk is there."""
        if self.kind == "damaged":
            content, what = gprofilemutators.mutate(self.seed, self.rng)
            self.what += ": " + what
            put(self.path, content)
        elif self.kind == "blind":
            content, what = profilemutators.blind(self.seed, self.rng)
            self.what += ": " + what
            put(self.path, content)
        elif self.kind == "foreign":
            put(self.path, self.rng.choice(
                [self.rng.choice(self.others), b"precious\n", b"\x7fELF" + bytes(9000), b"\0",
                 bytes(PAGE) + b"precious", self.rng.randbytes(20000)]))
        elif self.kind == "zeros":
            put(self.path, bytes(self.rng.choice([1, PAGE, 2 * PAGE, len(self.seed)])))
        elif self.kind == "directory":
            os.mkdir(self.path)
            os.mkdir(os.path.join(self.path, os.path.basename(self.path)))
            self.path = os.path.join(self.path, self.rng.choice(["", os.path.basename(self.path)]))
        elif self.kind == "fifo":
            os.mkfifo(self.path, 0o666)
        elif self.kind == "full":
            os.symlink("/dev/full", self.path)
        elif self.kind == "dangling":
            os.symlink("/nowhere/at/all", self.path)
        elif self.kind == "read-only":
            put(self.path, self.seed)
            os.chmod(self.path, 0o444)
        elif self.kind == "nowhere":
            self.path = "/nowhere/at/all"
        elif self.kind == "holes-small-disk":  # writing into a hole needs the disk, too
            end = int.from_bytes(self.seed[72:80], "little") + self.rng.choice([0, PAGE, 1 << 20])
            put(self.path, self.seed[:end].ljust(len(self.seed), b"\0"), sparse=True)
            fill(os.path.join(self.folder, "filler"))
        elif self.rng.random() < .5:
            fill(os.path.join(self.folder, "filler"))

    def look(self):
        """What is there, as far as it could be lost."""
        found = os.lstat(self.path) if os.path.lexists(self.path) else None
        if found is None or not stat.S_ISREG(found.st_mode):
            return found and (stat.S_IFMT(found.st_mode), found.st_rdev)
        with open(self.path, "rb") as file:
            return file.read()

    def destroyed(self, before, after):
        """What the program did to something that is not its own."""
        if isinstance(before, bytes):
            own = is_own(before, self.seed) and self.kind != "read-only"
            if not own and before != after:
                return "a file that is not the program's was changed"
            if own and not is_unfinished(before, self.seed) and \
                    before[:2 * PAGE] != after[:2 * PAGE]:
                return "the head of the profile was changed"
        elif before is not None and before != after:
            return "what was no file is something else now"
        return None
