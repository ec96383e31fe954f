#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs on a machine with several memory nodes, which qemu makes.

guest.py fetch
    Gets the kernel, once: Debian's for clouds, unpacked and not installed.
guest.py run [--nodes=N] [--memory=MIB] [--hmat] [--limit=SECONDS]
             [--file=FILE[:NAME]]... [--] COMMAND...
    Boots it and runs each COMMAND there, a line for its shell. Files go to
    /graupel/NAME (default: their own), with the shared libraries they need;
    commands run in that folder. What they print is printed, as `$ COMMAND`, its
    output, and `[STATUS]`. Ends with the first status that is not 0, and with 125
    if the guest fails: it does not boot, it panics, or time is up.

Nodes have a processor each. With 2, they are 20 apart; with 4, the pairs 0-1 and
2-3 are 16 apart, 0-2 and 1-3 are 22, the others 28. With --hmat firmware tells
latency and bandwidth: 90 ns and 10000 MB/s to a node itself, 180 and 5000 else.

qemu translates code (TCG), so guests run anywhere, also in virtual machines.
"""

import argparse
import contextlib
import ctypes
import glob
import gzip
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

FAILED = 125
META_PACKAGE = "linux-image-cloud-amd64"
DEFAULT_CACHE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "..", "..", "..", "build", "numa-guest")


class Failure(Exception):
    """What is wrong, with what to do about it."""


# --- The kernel ---------------------------------------------------------------
def cached_kernel(cache):
    kernels = sorted(glob.glob(os.path.join(cache, "vmlinuz-*")))
    return kernels[-1] if kernels else None


def output_of(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    return done.stdout


def fetch(cache):
    """Downloads the package and keeps only the kernel of it."""
    kernel = cached_kernel(cache)
    if kernel:
        return kernel
    os.makedirs(cache, exist_ok=True)
    if not shutil.which("apt-get"):
        raise Failure(f"there is no apt-get to fetch a kernel with; put one into "
                      f"{cache} as vmlinuz-VERSION")
    depends = output_of("apt-cache", "depends", META_PACKAGE)
    package = re.search(r"Depends: (linux-image-\S+)", depends)
    if not package:
        raise Failure(f"apt knows no {META_PACKAGE}; run `apt-get update`")
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        output_of("apt-get", "download", package[1], cwd=folder)
        [archive] = glob.glob(os.path.join(folder, "*.deb"))
        output_of("dpkg-deb", "-x", archive, os.path.join(folder, "files"))
        [image] = glob.glob(os.path.join(folder, "files", "boot", "vmlinuz-*"))
        # Complete or not there at all, whoever else fetches it now.
        os.replace(image, os.path.join(cache, os.path.basename(image)))
    return cached_kernel(cache)


# --- The initial file system --------------------------------------------------
class Archive:
    """The format the kernel unpacks (cpio, newc)."""

    def __init__(self):
        self.parts = []
        self.names = set()

    def entry(self, name, mode, data=b"", device=(0, 0)):
        encoded = name.encode() + b"\0"
        fields = [len(self.names) + 1, mode, 0, 0, 1, 0, len(data), 0, 0,
                  *device, len(encoded), 0]
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        self.parts += [head, b"\0" * (-len(head) % 4), data,
                       b"\0" * (-len(data) % 4)]
        self.names.add(name)

    def folder(self, name):
        if name and name not in self.names:
            self.folder(os.path.dirname(name))
            self.entry(name, stat.S_IFDIR | 0o755)

    def file(self, path, name):
        if name in self.names:
            return
        self.folder(os.path.dirname(name))
        with open(path, "rb") as source:
            self.entry(name, stat.S_IFREG | (os.stat(path).st_mode & 0o777),
                       source.read())

    def text(self, name, text):
        self.entry(name, stat.S_IFREG | 0o755, text.encode())

    def bytes(self):
        self.entry("TRAILER!!!", 0)
        return b"".join(self.parts)


def libraries_of(path):
    """Where the dynamic linker finds what a program needs."""
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return []
    listed = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    missing = re.findall(r"^\s*(\S+) => not found", listed, re.M)
    if missing:
        raise Failure(f"{path} needs {', '.join(missing)}, which ldd does not find")
    return re.findall(r"(?:=>\s+|^\s+)(/.+) \(0x", listed, re.M)


INIT = """#!/bin/busybox sh
/bin/busybox mount -t devtmpfs devtmpfs /dev
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin HOME=/tmp LC_ALL=C
stty -F /dev/ttyS1 raw -echo
ulimit -c 0
cd /graupel
exec </dev/null >/dev/ttyS1 2>&1
echo "@@ready"
sh /commands
sync
poweroff -f
"""


def commands_script(commands):
    lines = []
    for number in range(len(commands)):
        # A program's last line need not be complete.
        lines += [f"cat /command.{number}", f"sh /command.{number}.sh",
                  's=$?; echo; echo "@@status $s"']
    return "\n".join(lines + ["echo @@end", ""])


def initial_files(files, commands):
    busybox = shutil.which("busybox")
    if not busybox or libraries_of(busybox):
        raise Failure("a guest needs a busybox without libraries; install "
                      "busybox-static")
    archive = Archive()
    for folder in ("bin", "dev", "etc", "graupel", "proc", "sys", "tmp"):
        archive.folder(folder)
    # Before the device file system is there.
    archive.entry("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    archive.file(busybox, "bin/busybox")
    archive.text("init", INIT)
    archive.text("commands", commands_script(commands))
    for number, command in enumerate(commands):
        archive.text(f"command.{number}", f"@@command {command}\n")
        archive.text(f"command.{number}.sh", command + "\n")
    for path, name in files:
        if not os.path.isfile(path):
            raise Failure(f"there is no file {path}")
        archive.file(path, "graupel/" + name)
        for library in libraries_of(path):
            archive.file(library, library.lstrip("/"))
    return gzip.compress(archive.bytes(), compresslevel=1)


# --- The machine --------------------------------------------------------------
def distances(nodes):
    if nodes == 2:
        return {(0, 1): 20}
    if nodes == 4:
        return {(0, 1): 16, (2, 3): 16, (0, 2): 22, (1, 3): 22, (0, 3): 28,
                (1, 2): 28}
    return {(a, b): 20 for a in range(nodes) for b in range(a + 1, nodes)}


def machine(options, kernel, archive, console):
    nodes = options.nodes
    arguments = [
        "qemu-system-x86_64", "-accel", "tcg,thread=multi",
        "-cpu", "max", "-machine", "q35,hmat=on" if options.hmat else "q35",
        "-smp", str(nodes), "-m", str(nodes * options.memory),
        "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        "-kernel", kernel, "-initrd", archive, "-append",
        # A busy machine's timer looks to the guest as if it did not work.
        "console=ttyS0 quiet panic=-1 nokaslr mitigations=off no_timer_check "
        "numa_balancing=disable",
        "-serial", f"file:{console}", "-serial", "stdio"]
    for node in range(nodes):
        initiator = f",initiator={node}" if options.hmat else ""
        arguments += [
            "-object", f"memory-backend-ram,id=m{node},size={options.memory}M",
            "-numa", f"node,nodeid={node},memdev=m{node},cpus={node}{initiator}"]
    for (a, b), value in distances(nodes).items():
        arguments += ["-numa", f"dist,src={a},dst={b},val={value}"]
    for a in range(nodes if options.hmat else 0):
        for b in range(nodes):
            pair = f"hmat-lb,initiator={a},target={b},hierarchy=memory,data-type="
            arguments += [
                "-numa", f"{pair}access-latency,latency={90 if a == b else 180}",
                "-numa", f"{pair}access-bandwidth,"
                         f"bandwidth={10000 if a == b else 5000}M"]
    return arguments


def tail(path, lines):
    with contextlib.suppress(OSError), open(path, errors="replace") as file:
        return "".join("  | " + line for line in file.readlines()[-lines:])
    return ""


class Session:
    """Reads what the guest says, and prints what people want to see of it."""

    def __init__(self):
        self.status = 0
        self.ready = self.ended = False

    def line(self, line):
        if line.startswith("@@ready"):
            self.ready = True
        elif line.startswith("@@command "):
            print("$ " + line[10:])
        elif line.startswith("@@status "):
            status = int(line[9:])
            print(f"[{status}]")
            self.status = self.status or status
        elif line.startswith("@@end"):
            self.ended = True
        elif self.ready and line:
            print(line)
        sys.stdout.flush()


def die_with_parent():
    """Whatever ends this script ends the guest."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run(options):
    kernel = fetch(options.cache)
    if not shutil.which("qemu-system-x86_64"):
        raise Failure("there is no qemu-system-x86_64; install qemu-system-x86")
    files = []
    for text in options.file:
        path, _, name = text.partition(":")
        files.append((path, name or os.path.basename(path)))
    with tempfile.TemporaryDirectory() as folder:
        archive, console = (os.path.join(folder, n) for n in ("files", "console"))
        with open(archive, "wb") as file:
            file.write(initial_files(files, options.commands))
        session = Session()
        errors = os.path.join(folder, "errors")
        start = time.monotonic()
        with open(errors, "w") as error_file:
            guest = subprocess.Popen(
                machine(options, kernel, archive, console),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=error_file, start_new_session=True,
                preexec_fn=die_with_parent)
        overdue = threading.Timer(
            options.limit, lambda: os.kill(guest.pid, signal.SIGKILL))
        overdue.start()
        try:
            for line in guest.stdout:
                session.line(line.decode(errors="replace").rstrip("\r\n"))
            guest.wait()
        finally:
            overdue.cancel()
            guest.kill()
            guest.wait()
        seconds = time.monotonic() - start
        if session.ended:
            print(f"guest: {seconds:.1f} s", file=sys.stderr)
            return session.status
        log = tail(console, 30) + tail(errors, 10)
        if seconds >= options.limit:
            raise Failure(f"time is up after {options.limit} s; the guest's "
                          f"console:\n{log}")
        if "Kernel panic" in tail(console, 1000):
            raise Failure(f"the guest's kernel panicked; its console:\n{log}")
        raise Failure(f"the guest ended before its commands did; its console:\n{log}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", default=DEFAULT_CACHE)
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("fetch")
    runner = actions.add_parser("run")
    runner.add_argument("--nodes", type=int, default=2)
    runner.add_argument("--memory", type=int, default=192, help="MiB a node")
    runner.add_argument("--hmat", action="store_true")
    runner.add_argument("--limit", type=float, default=280)
    runner.add_argument("--file", action="append", default=[])
    runner.add_argument("commands", nargs="+")
    options = parser.parse_args()
    try:
        if options.action == "fetch":
            print(fetch(options.cache))
            return 0
        return run(options)
    except Failure as failure:
        print(f"guest: error: {failure}", file=sys.stderr)
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
