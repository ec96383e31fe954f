#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does to outputs what packaging and administrators do, and runs the results.

  survives.py INPUT OUTPUT [--library PROGRAM]

Each tool is also tried on INPUT. It may not say more about OUTPUT than about
INPUT, must succeed with both, and what comes out has to print what OUTPUT
prints. With --library both are shared libraries, which PROGRAM loads by the
path in its only argument. Tools that are not installed are left out; which ones
ran is printed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                "tools"))
from limits import limit  # noqa: E402

INTERPRETER = "/lib64/" + 8 * "../lib64/" + "ld-linux-x86-64.so.2"
RPATH = "/a/path/that/is/longer/than/what/was/there:/another/one"

# What is done, one after the other; {} is the file, {}.x another beside it.
TREATMENTS = {
    "strip": [["strip", "{}"]],
    "strip -g": [["strip", "-g", "{}"]],
    "strip --strip-unneeded": [["strip", "--strip-unneeded", "{}"]],
    "objcopy": [["objcopy", "{}"]],
    "objcopy --strip-all": [["objcopy", "--strip-all", "{}"]],
    "compressed": [["objcopy", "--compress-debug-sections", "{}"]],
    "packaged": [
        ["objcopy", "--only-keep-debug", "--compress-debug-sections", "{}", "{}.debug"],
        ["strip", "--remove-section=.comment", "--remove-section=.note", "{}"],
        ["objcopy", "--add-gnu-debuglink={}.debug", "{}"],
    ],
    "llvm-strip": [["llvm-strip", "{}"]],
    "llvm-objcopy": [["llvm-objcopy", "--strip-debug", "{}"]],
    "eu-strip": [["eu-strip", "-f", "{}.debug", "{}"]],
    "patchelf --set-rpath": [["patchelf", "--set-rpath", RPATH, "{}"]],
    "patchelf --add-needed": [["patchelf", "--add-needed", "libm.so.6", "{}"]],
    "patchelf --set-interpreter": [["patchelf", "--set-interpreter", INTERPRETER, "{}"]],
    "strip, then patchelf": [["strip", "{}"], ["patchelf", "--set-rpath", RPATH, "{}"]],
    "patchelf, then strip": [["patchelf", "--set-rpath", RPATH, "{}"], ["strip", "{}"]],
    "twice": [["strip", "-g", "{}"], ["strip", "{}"]],
}
CHECKS = {"eu-elflint": ["eu-elflint", "--gnu", "{}"]}
NEEDS_INTERPRETER = {"patchelf --set-interpreter"}


def command(words, path):
    return [word.replace("{}", path) for word in words]


def said(result, path):
    """What a tool said, without the names of files and numbers."""
    lines = (result.stdout + result.stderr).replace(path, "FILE").splitlines()
    return {re.sub(r"\bst\w{6}\b|0x[0-9a-f]+|\d+", "N", line) for line in lines if line.strip()}


def treat(steps, original, folder, name):
    """The treated copy of the original, what was said, and whether all succeeded."""
    path = os.path.join(folder, name)
    shutil.copy(original, path)
    lines, good = set(), True
    for step in steps:
        result = subprocess.run(command(step, path), capture_output=True, text=True,
                                errors="replace", timeout=limit(120), check=False)
        lines |= said(result, path)
        good = good and result.returncode == 0
    return path, lines, good


def run(path, loader):
    os.chmod(path, 0o755)
    return subprocess.run([loader, path] if loader else [path], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=limit(120), check=False)


def outcome(path, loader):
    result = run(path, loader)
    return result.returncode, result.stdout


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("input")
    p.add_argument("output")
    p.add_argument("--library", metavar="PROGRAM")
    args = p.parse_args()
    expected = outcome(os.path.abspath(args.output), args.library)
    if expected != outcome(os.path.abspath(args.input), args.library):
        sys.exit("survives.py: the output does not do what the input does")
    with open(args.input, "rb") as file:
        has_interpreter = b"/lib64/ld-linux" in file.read()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, steps in {**TREATMENTS, **CHECKS}.items():
            steps = [steps] if name in CHECKS else steps
            if not all(shutil.which(step[0]) for step in steps):
                continue
            if name.startswith("patchelf") or "patchelf" in name:
                if not has_interpreter and (name in NEEDS_INTERPRETER or not args.library):
                    continue
            _, before, worked = treat(steps, args.input, folder, "in")
            if not worked:
                continue
            path, after, works = treat(steps, args.output, folder, "out")
            problem = None
            if not works:
                problem = "fails"
            elif after - before:
                problem = "says more"
            elif outcome(path, args.library) != expected:
                problem = "breaks it"
            print(f"{name}: {problem or 'works'}")
            if problem:
                failed = True
                print("".join(f"  {line}\n" for line in sorted(after - before)), end="")
    sys.exit(failed)


main()
