# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""spmv.py FOLDER: records the variants of the sparse matrix-vector product there, and checks what
their histograms have to be."""

import json
import os
import subprocess
import sys

FOLDER = sys.argv[1]
FAR = ">=32768"


class Run:
    def __init__(self, name, rows, options=""):
        record = os.path.join(FOLDER, name + ".gstride")
        done = subprocess.run([os.path.join(FOLDER, name), "2", rows], check=True, text=True,
                              stdout=subprocess.PIPE,
                              env={**os.environ, "GRAUPEL_STRIDE_OUT": record,
                                   "GRAUPEL_STRIDE": options})
        self.checksum = done.stdout.splitlines()[0]
        report = json.loads(subprocess.run(["graupel", "stride", "report", record, "--json"],
                                           check=True, stdout=subprocess.PIPE).stdout)
        self.streams = {(s["object"].rpartition("/")[2].upper(), s["kind"]): s
                        for s in report["streams"]}

    def share(self, name, kind, lag, *bins):
        stream = self.streams[name, kind]
        found = stream["histograms"][lag - 1]["bins"]
        return sum(found.get(str(b), 0) for b in bins) / stream["references"]

    def far(self, name, kind, lag):
        """Distances over 128 bytes."""
        stream = self.streams[name, kind]
        found = stream["histograms"][lag - 1]["bins"]
        return sum(n for b, n in found.items() if "-" in b or b[0] == ">") / stream["references"]


def near(value, wanted, by=0.01):
    assert abs(value - wanted) <= by, (value, wanted)


def check_written(run, modified):
    """Of the loop as it is written, by whatever compiler."""
    for kind in ("load", "store"):
        near(run.far("Q", kind, 1), 0, 0.002)           # from the end to the beginning
    near(run.share("COLSTR", "load", 1, 4), 1)
    assert ("YTEMP", "load") not in run.streams or not modified
    if not modified:
        near(run.share("YTEMP", "store", 1, 8), 1)
    for name in ("AA", "ROWIDX"):
        near(run.far(name, "load", 1), 0, 0.002)
        near(run.far(name, "load", 2), 0, 0.002)


def check_published(run, modified):
    near(run.share("Q", "load", 1, 8), 1)
    near(run.share("Q", "store", 1, 8), 1)
    if modified:
        near(run.share("COLSTR", "load", 1, 4), 1)
        assert ("YTEMP", "store") not in run.streams
        near(run.share("AA", "load", 1, 8), 0.69, 0.06)
        near(run.share("ROWIDX", "load", 1, 4), 0.52, 0.02)
        return
    near(run.share("COLSTR", "load", 1, 0), 0.5)
    near(run.share("COLSTR", "load", 1, 4), 0.5)
    near(run.share("YTEMP", "store", 1, 8), 1)
    for lag in (2, 3, 4):       # what is left after one back, all of it
        near(run.share("YTEMP", "load", lag, FAR), 1 - run.share("YTEMP", "load", 1, 8))
        assert run.share("YTEMP", "load", lag, FAR) > 0.2
    near(run.share("AA", "load", 1, 8), 0.39, 0.02)
    near(run.share("AA", "load", 1, 16), 0.23, 0.02)
    near(run.share("ROWIDX", "load", 1, 4), 0.24, 0.02)
    near(run.share("ROWIDX", "load", 1, 8), 0.34, 0.02)


def check_misses():
    """Of a 4 MB direct-mapped cache: the modified loop has fewer references and fewer misses."""
    totals = []
    for name in ("published", "published-modified"):
        run = Run(name, "random", "cache=dtj")
        streams = run.streams.values()
        totals.append((sum(s["references"] for s in streams), sum(s["misses"][-1] for s in streams)))
    assert totals[1][0] < totals[0][0] and totals[1][1] < totals[0][1], totals


check_misses()
for rows in ("random", "banded"):
    checksums = set()
    for name in ("fortran", "c", "published"):
        for modified in (False, True):
            run = Run(name + "-modified" * modified, rows)
            checksums.add(run.checksum)
            (check_published if name == "published" else check_written)(run, modified)
            if rows == "random":
                assert run.far("P", "load", 5) > 0.5
    assert len(checksums) == 1, checksums
