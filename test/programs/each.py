#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command once for each file, and prints how each run ended.

For suites that are folders of scripts without a runner that counts. {} in the
command stands for a name. Each run has a scratch folder of its own. A line of output
is "each: STATUS DIGEST NAME": the digest is that of what the run wrote, so that two
programs can be compared by it.
"""
import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--files", action="append", required=True, metavar="PATTERN",
                   help="names: paths that match (may be repeated)")
    p.add_argument("--without", metavar="REGEX", default="$^", help="names to leave out")
    p.add_argument("--every", type=int, default=1, metavar="N", help="each N-th name (1)")
    p.add_argument("--copy", metavar="FOLDER", help="what scratch folders hold (nothing)")
    p.add_argument("--here", action="store_true", help="run in this folder, not in scratch")
    p.add_argument("--relevant", metavar="REGEX",
                   help="the parts of the output that count (all of it but addresses)")
    p.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="of a run (300)")
    p.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time (2)")
    p.add_argument("--log", type=Path, metavar="FOLDER", help="keep outputs there")
    p.add_argument("command", nargs="+")
    return p.parse_args()


def run(args, name):
    with tempfile.TemporaryDirectory(prefix="graupel-each.") as scratch:
        if args.copy:
            shutil.copytree(args.copy, scratch, dirs_exist_ok=True, symlinks=True)
        command = [word.replace("{}", name) for word in args.command]
        child = subprocess.Popen(command, cwd=None if args.here else scratch,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = child.communicate(timeout=args.timeout)
            status = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            output, _ = child.communicate()
            status = "timeout"
    text = output.decode(errors="replace").replace(scratch, "SCRATCH")
    text = re.sub(r"0x[0-9a-f]+", "0x?", text)
    if args.relevant:
        text = "\n".join(m[0] for m in re.finditer(args.relevant, text, re.M))
    if args.log:
        args.log.mkdir(parents=True, exist_ok=True)
        (args.log / name.replace("/", "_")).write_text(text)
    return status, hashlib.sha256(text.encode()).hexdigest()[:12]


def main():
    args = arguments()
    names = sorted(str(p) for pattern in args.files for p in Path().glob(pattern))
    names = [n for n in names if not re.search(args.without, n)][::args.every]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, (status, digest) in zip(names, pool.map(lambda n: run(args, n), names)):
            print(f"each: {status} {digest} {name}", flush=True)


if __name__ == "__main__":
    main()
