#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes files of Debian packages as they are installed, and compares what they do.

  packages.py [PATTERN...] [--install] [--resume FILE] [--counts] [--table FILE]

For each file whose name matches a pattern ("lib*"), or all: instrument it, run its command
(subjects/) with the first input, optimize the file with that profile and -verify, and run
the command with both inputs. What is printed must be the same each time. Files that
graupel-bolt has to refuse pass if it says the reason that is expected. --counts adds
instructions and misses in a cache for instructions of 32 KB, of the second input, by
cachegrind. Programs that are not installed are left out; --install installs them. With
--resume, those are left out of which FILE says that they passed, and it is continued. Each
failure is printed with what shows it; the last line is "N passed, N failed".
"""
import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "tools")]
from limits import end_group, limit  # noqa: E402
from optimizer import Failure, graupel_bolt, must, shell  # noqa: E402
from subjects import SUBJECTS, make_inputs  # noqa: E402

BEGIN, END = "<!-- packages -->\n", "<!-- end packages -->\n"


class Case:
    """One file, in a folder of its own."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.subject = SUBJECTS[name]
        self.figures = {}
        for kind in ("before", "counted", "after"):
            (folder / kind).mkdir()

    def environment(self, kind):
        values = {"PATH": "/usr/bin:/bin:/usr/games:/usr/sbin", "LC_ALL": "C", "TZ": "UTC",
                  "HOME": str(self.folder),
                  **{k: self.place(kind, v) for k, v in self.subject.environment.items()}}
        if self.subject.program:
            values["LD_LIBRARY_PATH"] = str(self.folder / kind)
        return values

    def place(self, kind, text):
        return re.sub(r"\$D\b", str(self.folder / kind), text)

    def command(self, kind, number, prefix=""):
        subject = self.subject
        program = subject.program or str(self.folder / kind / Path(subject.file).name)
        text = re.sub(r"\$P\b", prefix + program, subject.command).replace("$N", str(number))
        return self.place(kind, text)

    def run(self, kind, number, prefix=""):
        """(status, output) of the file of a kind with the input of that number."""
        script = self.command(kind, number, prefix)
        with subprocess.Popen(["bash", "-c", script], cwd=self.folder, env=self.environment(kind),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=limit(300))
            except subprocess.TimeoutExpired:
                return None
            finally:
                # Also servers that were left.
                end_group(process)
        # Paths of programs are in messages.
        return process.returncode, out.replace(str(self.folder / kind).encode(), b"$D"), err

    def compare(self, kind, number, expected):
        seen = self.run(kind, number)
        if seen is None or seen[:2] != expected[:2]:
            raise Failure(f"{kind}, input {number}: {str(seen)[:400]}, the original: {str(expected)[:400]}",
                          shell(["bash", "-c", self.command(kind, number)], self.environment(kind),
                                str(self.folder)))

    def make(self):
        """Both versions; (message of the optimizer, seconds)."""
        file = Path(self.subject.file).name
        before, counted, after = (self.folder / k / file for k in ("before", "counted", "after"))
        shutil.copyfile(os.path.realpath(self.subject.file), before)
        before.chmod(0o755)
        profile = self.folder / "profile"
        if self.subject.refused:
            return self.refuse(before, counted)
        must([graupel_bolt(), str(before), "-o", str(counted), "-instrument", "-verify",
              f"-instrumentation-file={profile}"])
        expected = {n: self.run("before", n) for n in (1, 2)}
        again = {n: self.run("before", n) for n in (1, 2)}
        if None in expected.values() or None in again.values() or any(
                expected[n][:2] != again[n][:2] for n in (1, 2)):
            raise Failure("the original is not deterministic", self.command("before", 1))
        # Some end with an error that is meant.
        if any(not 0 <= seen[0] < 126 or not seen[1] for seen in expected.values()):
            raise Failure(f"the original fails: {expected}", self.command("before", 1))
        self.compare("counted", 1, expected[1])
        if not profile.exists():
            raise Failure("no profile was written", self.command("counted", 1))
        began = time.monotonic()
        said = must([graupel_bolt(), str(before), "-o", str(after), f"-data={profile}", "-verify"])
        self.figures["seconds"] = time.monotonic() - began
        for number in (1, 2):
            self.compare("after", number, expected[number])
        return said

    def refuse(self, before, counted):
        """graupel-bolt says why, and writes nothing."""
        command = [graupel_bolt(), str(before), "-o", str(counted), "-instrument", "-verify"]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if result.returncode <= 0 or self.subject.refused not in result.stderr or counted.exists():
            raise Failure(f"is not refused with '{self.subject.refused}', but status {result.returncode}: "
                          f"{result.stderr[-400:]}", shell(command))
        self.figures["refused"] = True
        return ""

    def check(self, counts):
        said = self.make()
        if "refused" in self.figures:
            return
        if match := re.search(r"optimized (\d+)(?: of (\d+))?", said):
            self.figures["functions"] = match[1]
        file = Path(self.subject.file).name
        sizes = [(self.folder / kind / file).stat().st_size for kind in ("before", "after")]
        self.figures["size"] = [sizes[0] / 1e6, (sizes[1] - sizes[0]) / 1e6]
        if counts:
            self.figures["counts"] = [self.count(kind) for kind in ("before", "after")]

    def count(self, kind):
        """Instructions and misses of all processes of the program with the second input."""
        out = self.folder / f"{kind}.cachegrind"
        prefix = (f"valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --LL=8388608,16,64 "
                  f"--cachegrind-out-file={out}.%p ")
        self.run(kind, 2, prefix)
        total = [0, 0]
        for file in out.parent.glob(out.name + ".*"):
            text = file.read_text(errors="replace")
            events = re.search(r"^events: (.*)$", text, re.M)[1].split()
            sums = dict(zip(events, map(int, re.search(r"^summary: (.*)$", text, re.M)[1].split())))
            total = [total[0] + sums["Ir"], total[1] + sums["I1mr"]]
        return total


def ratio(a, b):
    return f"{b / a:.3f}" if a else ""


def line(case, failure):
    f, subject = case.figures, case.subject
    if "refused" in f:
        return [case.name, subject.package, *[""] * 7, "refused"]
    if failure or "size" not in f:
        return [case.name, subject.package, *[""] * 7, "**fails**"]
    cells = ["", "", "", ""]
    if counts := f.get("counts"):
        (i0, m0), (i1, m1) = counts
        cells = [f"{i0 / 1e6:,.1f} M", ratio(i0, i1), f"{m0:,}", ratio(m0, m1)]
    return [case.name, subject.package, f.get("functions", ""), f"{f['size'][0]:.1f} + {f['size'][1]:.1f}",
            f"{f['seconds']:.0f} s", *cells, "same"]


def write_table(path, rows):
    header = ["file", "package", "functions", "MB", "optimizing", "instructions", "ratio",
              "I-cache misses", "ratio", "output"]
    lines = ["| " + " | ".join(r) + " |" for r in [header, ["---"] * len(header), *rows]]
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    path.write_text(head + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1], encoding="utf-8")


def build_helpers(folder):
    must(["g++", "-O1", str(folder / "cxx.cpp"), "-o", str(folder / "cxx")])
    must(["gcc", "-O1", "-w", str(folder / "libc.c"), "-o", str(folder / "libc"), "-lpthread"])


def is_installed(subject):
    return os.path.exists(subject.file) and (subject.program[:1] != "/" or os.path.exists(subject.program))


def install(subjects):
    """Installs the packages of these."""
    names = sorted({name for subject in subjects for name in subject.packages()})
    asked = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${db:Status-Status}\n", *names],
                           capture_output=True, text=True)
    there = {text.split()[0] for text in asked.stdout.splitlines() if text.endswith(" installed")}
    missing = [name for name in names if name not in there]
    if not missing:
        return
    if os.geteuid() or not shutil.which("apt-get"):
        sys.exit(f"packages.py: only root can install, with apt-get: {' '.join(missing)}")
    print(f"installing {len(missing)} packages", flush=True)
    # RUNLEVEL: services are not started.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
        result = subprocess.run(["apt-get", "-q", *command], env=environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True)
        if result.returncode:
            said = "\n".join((result.stdout + result.stderr).splitlines()[-8:])
            sys.exit(f"packages.py: cannot install: apt-get {' '.join(command[:3])}:\n{said}")


def chosen(patterns):
    names = {p: fnmatch.filter(SUBJECTS, p) for p in patterns or ["*"]}
    if unknown := [p for p in names if not names[p]]:
        sys.exit(f"packages.py: no such subject: {' '.join(unknown)}; see --list")
    return list(dict.fromkeys(n for some in names.values() for n in some))


class Results:
    """A line for each subject, in a file that a later run continues."""

    def __init__(self, path):
        self.path, self.passed = path, set()
        if path and path.exists():
            lines = path.read_text(encoding="utf-8").splitlines()
            self.passed = {line.split()[1] for line in lines if line.startswith("passed ")}

    def add(self, name, failure):
        if self.path:
            with self.path.open("a", encoding="utf-8") as f:
                f.write(f"{'FAILED' if failure else 'passed'} {name}\n")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("patterns", nargs="*", metavar="PATTERN", help="names, or patterns of names as in a shell")
    p.add_argument("--list", action="store_true", help="print the names, packages and files, and do nothing")
    p.add_argument("--install", action="store_true", help="first install what is missing, as root")
    p.add_argument("--resume", type=Path, metavar="FILE", help="leave out what passed before, and note what passes")
    p.add_argument("--counts", action="store_true")
    p.add_argument("--table", type=Path, metavar="FILE", help="write the table in this document")
    p.add_argument("--keep", action="store_true", help="keep all files")
    return p.parse_args()


def try_one(name, root, inputs, args):
    """(line of the table, failure or None)."""
    folder = root / name
    shutil.copytree(inputs, folder)
    case, failure = Case(name, folder), None
    try:
        case.check(args.counts)
    except Failure as f:
        failure = f
        print(f"FAILED: {name}: {f}", flush=True)
    if not failure and not args.keep:
        shutil.rmtree(folder)
    return line(case, failure), failure


def main():
    args = arguments()
    names = chosen(args.patterns)
    if args.list:
        for name in names:
            subject = SUBJECTS[name]
            print(f"{name:20} {subject.package:24} {subject.file}{'' if is_installed(subject) else ' (not installed)'}")
        print(f"{len(names)} files of {len({SUBJECTS[n].package for n in names})} packages")
        return
    if args.install:
        install([SUBJECTS[n] for n in names])
    root = Path(tempfile.mkdtemp(prefix="graupel-shipped."))
    inputs = root / "inputs"
    inputs.mkdir()
    make_inputs(inputs)
    build_helpers(inputs)
    results = Results(args.resume)
    rows, failed = [], 0
    for name in names:
        if name in results.passed:
            continue
        if not is_installed(SUBJECTS[name]):
            print(f"left out: {name}: not installed: {' '.join(SUBJECTS[name].packages())}")
            continue
        began = time.monotonic()
        row, failure = try_one(name, root, inputs, args)
        rows.append(row)
        failed += failure is not None
        results.add(name, failure)
        print(" | ".join(row), f"({time.monotonic() - began:.0f} s)", flush=True)
    if args.table:
        write_table(args.table, rows)
    if not failed and not args.keep:
        shutil.rmtree(root)
    before = len(results.passed & set(names))
    if before:
        print(f"{before} passed before")
    print(f"{before + len(rows) - failed} passed, {failed} failed")
    sys.exit(failed > 0 or not rows and not before)


if __name__ == "__main__":
    main()
