#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes files of Debian packages as they are installed, and compares what they do.

  packages.py [NAME...] [--counts] [--table FILE]

For each file: instrument it, run its command (subjects.py) with the first input, optimize
the file with that profile and -verify, and run the command with both inputs. What is
printed must be the same each time. --counts adds instructions and misses in a cache for
instructions of 32 KB, of the second input, by cachegrind. Programs that are not installed
are left out. Each failure is printed with what shows it; the last line is "N passed, N
failed".
"""
import argparse
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
from limits import limit  # noqa: E402
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
        values = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC", "HOME": str(self.folder),
                  **self.subject.environment}
        if self.subject.program:
            values["LD_LIBRARY_PATH"] = str(self.folder / kind)
        return values

    def command(self, kind, number, prefix=""):
        subject = self.subject
        program = subject.program or str(self.folder / kind / Path(subject.file).name)
        return subject.command.replace("$P", prefix + program).replace("$N", str(number))

    def run(self, kind, number, prefix=""):
        """(status, output) of the file of a kind with the input of that number."""
        script = self.command(kind, number, prefix)
        try:
            result = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment(kind),
                                    stdin=subprocess.DEVNULL, capture_output=True, timeout=limit(300))
        except subprocess.TimeoutExpired:
            return None
        return result.returncode, result.stdout, result.stderr

    def compare(self, kind, number, expected):
        seen = self.run(kind, number)
        # Paths of programs are in messages.
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
        must([graupel_bolt(), str(before), "-o", str(counted), "-instrument", "-verify",
              f"-instrumentation-file={profile}"])
        expected = {n: self.run("before", n) for n in (1, 2)}
        if expected != {n: self.run("before", n) for n in (1, 2)} or None in expected.values():
            raise Failure("the original is not deterministic", self.command("before", 1))
        if any(seen[0] for seen in expected.values()):
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

    def check(self, counts):
        said = self.make()
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


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", choices=[[], *SUBJECTS], metavar="NAME", help=", ".join(SUBJECTS))
    p.add_argument("--counts", action="store_true")
    p.add_argument("--table", type=Path, metavar="FILE", help="write the table in this document")
    p.add_argument("--keep", action="store_true", help="keep all files")
    return p.parse_args()


def main():
    args = arguments()
    root = Path(tempfile.mkdtemp(prefix="graupel-shipped."))
    inputs = root / "inputs"
    inputs.mkdir()
    make_inputs(inputs)
    build_helpers(inputs)
    rows, failed = [], 0
    for name in args.names or SUBJECTS:
        if not os.path.exists(SUBJECTS[name].file):
            print(f"left out: {name}: there is no {SUBJECTS[name].file}")
            continue
        folder = root / name
        shutil.copytree(inputs, folder)
        case, failure = Case(name, folder), None
        try:
            case.check(args.counts)
        except Failure as f:
            failure = f
            print(f"FAILED: {name}: {f}", flush=True)
        failed += failure is not None
        rows.append(line(case, failure))
        print(" | ".join(rows[-1]), flush=True)
        if not failure and not args.keep:
            shutil.rmtree(folder)
    if args.table:
        write_table(args.table, rows)
    print(f"{len(rows) - failed} passed, {failed} failed")
    sys.exit(failed > 0 or not rows)


if __name__ == "__main__":
    main()
