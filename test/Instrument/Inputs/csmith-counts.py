#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs from csmith count what llvm-bolt's instrumentation counts.

Program number N is always the same: its seed is --seed plus N. Compilers, levels,
PIE and -atomic alternate. Programs that run longer than a second are left out.
Failures are printed with their seed; the last line is "N same, N different".
"""

import argparse
import os
import shutil
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "..", "csmith"),
                os.path.join(here, "..", "..", "tools")]
from differential import csmith_include  # First: tools/ has another of the name.
from counts import fields
from optimizer import Failure, difference, graupel_bolt, must, observe

# llvm-bolt's runtime starts after, or has written its profile before.
NOT_SEEN = ("register_tm_clones", "deregister_tm_clones", "__do_global_dtors_aux",
            "frame_dummy", "_init", "_fini", "_start")


def transfers(text):
    """How often control went from place to place inside functions."""
    counts = {}
    for line in text.splitlines():
        place = fields(line)
        count = int(place.pop())
        place.pop()  # Mispredictions.
        if count and place[1] == place[4] and not place[1].split("/")[0] in NOT_SEEN:
            counts[tuple(place)] = counts.get(tuple(place), 0) + count
    return counts


def compare(seed, prefix):
    """What differs, or None if the program runs for too long."""
    compiler, level = ("gcc", "clang")[seed % 2], ("-O1", "-O2", "-O3")[seed // 2 % 3]
    link = (["-fPIE", "-pie"], ["-fno-pie", "-no-pie"])[seed // 6 % 2]
    source, program = prefix + ".c", prefix + ".plain"
    must(["csmith", "--seed", str(seed), "--max-funcs", "8", "-o", source])
    must([compiler, level, "-w", *link, "-I", csmith_include(), "-Wl,--emit-relocs",
          source, "-o", program])
    reference = observe([program], 1)
    if reference is None:
        return None
    must([graupel_bolt(), program, "-instrument", "-o", prefix + ".ours",
          "-instrumentation-file=" + prefix + ".gprofile",
          f"-atomic={seed // 12 % 2}"])
    must(["llvm-bolt", program, "-instrument", "-o", prefix + ".theirs",
          "-instrumentation-file=" + prefix + ".fdata"])
    for run in (prefix + ".ours", prefix + ".theirs"):
        what = difference(reference, observe([run], 60))
        if what:
            return [f"{run}: {what}"]
    ours = transfers(must([graupel_bolt(), "export", prefix + ".gprofile"]))
    with open(prefix + ".fdata") as file:
        theirs = transfers(file.read())
    return [f"{' '.join(place)}: ours {ours.get(place, 0)}, theirs {theirs.get(place, 0)}"
            for place in sorted({*ours, *theirs}) if ours.get(place) != theirs.get(place)]


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=12, help="programs (default: 12)")
    p.add_argument("--seed", type=int, default=1, help="of the first (default: 1)")
    p.add_argument("--folder", required=True)
    options = p.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    same = different = 0
    for seed in range(options.seed, options.seed + options.count):
        try:
            wrong = compare(seed, os.path.join(options.folder, str(seed)))
        except Failure as failure:
            wrong = [str(failure)]
        if wrong:
            different += 1
            print(f"seed {seed}: DIFFERENT", *wrong, sep="\n  ")
        elif wrong is not None:
            same += 1
    print(f"{same} same, {different} different")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
