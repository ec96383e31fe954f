# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two programs that the report leads to faster versions of (docs/stride-case-studies.md).

neighbor  of Debian's source package phylip: joins trees from a matrix of distances, which it
          walks across its rows; fixed by stride/cases/neighbor.patch
counters  two threads with counters in one cache line; fixed by -DPADDED
"""

import random
import shutil

from bench import execute
from bench.cache import checked, digest_of, need_tool
from bench.errors import OutputMismatch
from families.pairs import interleaved
from families.stride_build import HERE
from programs.base import digest_tree, empty

FOLDER = HERE / "cases"
NEIGHBOR = ("neighbor.c", "phylip.c", "dist.c")
# Of the published sources' time: no prototypes, tentative definitions in headers.
OLD_C = ["-w", "-fcommon", "-std=gnu89", "-DUNX"]
SPECIES = {"time": 2000, "quick": 1400, "record": 400}
WRAPPER = "wrapper=mymalloc"


def distances(path, species):
    """A matrix of distances between random points, as phylip reads it."""
    number = random.Random(species)
    points = [[number.random() for _ in range(5)] for _ in range(species)]
    with path.open("w", encoding="ascii") as file:
        file.write(f"{species}\n")
        for i, one in enumerate(points):
            row = (0 if i == j else sum((a - b) ** 2 for a, b in zip(one, other)) ** 0.5
                   for j, other in enumerate(points))
            file.write(f"s{i:<9}" + " ".join(f"{value:.5f}" for value in row) + "\n")


class Neighbor:
    """phylip's neighbor as it is, and patched."""

    def __init__(self, session):
        self.session, self.cache = session, session.context.cache
        self.scratch = session.scratch / "neighbor"

    def sources(self, patched):
        tree = self.session.context.sources.tree("phylip") / "src"
        if not patched:
            return [tree / name for name in NEIGHBOR]
        work = self.cache.fresh_dir("stride", "phylip", "src")
        shutil.copytree(tree, work, dirs_exist_ok=True)
        checked([need_tool("patch", "patch"), "-p1", "-s", "-i", FOLDER / "neighbor.patch"],
                cwd=work.parent, what="patching phylip")
        return [work / name for name in NEIGHBOR]

    def build(self, patched, kind):
        name = "neighbor-fixed" if patched else "neighbor"
        return self.session.builder.compile(self.sources(patched), kind, name, *OLD_C)

    def matrix(self, species):
        path = self.cache.dir("data") / f"distances-{species}.txt"
        self.cache.once(f"distances-{species}", digest_of(species), [path],
                        lambda: distances(path, species), "making distances")
        return path

    def run(self, binary, species, record=None):
        """(processor seconds, digest of both trees' files)."""
        empty(self.scratch)
        shutil.copy2(self.matrix(species), self.scratch / "infile")
        # Its menu: 2 (no indications of progress), Y (go).
        argv = ["sh", "-c", "printf '2\\nY\\n' | exec \"$0\" > ../neighbor.log", binary]
        if record:
            cost = self.session.builder.record(argv, record, self.scratch, WRAPPER)
        else:
            cost = execute.run([*execute.fixed_layout_prefix(), *argv], self.scratch,
                               what="neighbor")
        return cost.user_time + cost.system_time, digest_tree(self.scratch)


def _first_issues(builder, record, count):
    issues = builder.report(record)["issues"][:count]
    return "\n".join(f"* {i['issue']}: {i['object']} at {i['file'].rpartition('/')[2]}:{i['line']}"
                     f" in {i['function']} (about {i['lines']:,.0f} lines): {i['what']}"
                     for i in issues) or "* none"


def show_neighbor(session):
    """What the report says of both."""
    neighbor, text = Neighbor(session), []
    for patched in (False, True):
        session.step(f"recording neighbor{' (fixed)' if patched else ''}")
        record = session.scratch / "neighbor.gstride"
        record.unlink(missing_ok=True)
        neighbor.run(neighbor.build(patched, "recorded"), SPECIES["record"], record)
        text.append(f"neighbor{', fixed' if patched else ''}: first issues\n\n"
                    + _first_issues(session.builder, record, 4))
    session.context.report += text


def time_neighbor(session, rounds):
    session.step("timing neighbor")
    neighbor = Neighbor(session)
    binaries = {patched: neighbor.build(patched, "plain") for patched in (False, True)}
    species = SPECIES["quick" if session.options.quick else "time"]
    found = interleaved(rounds, {p: lambda b=b: neighbor.run(b, species)
                                 for p, b in binaries.items()})
    if len({digest for each in found for _, digest in each.values()}) != 1:
        raise OutputMismatch("neighbor: the fixed program makes another tree")
    session.sampled("neighbor", "time of a fixed program", "s", [each[True][0] for each in found],
                    "as published", [each[False][0] for each in found])


def _counters(session, padded, kind):
    name = "counters-padded" if padded else "counters"
    return session.builder.compile([FOLDER / "counters.c"], kind, name, "-pthread",
                                   *(["-DPADDED"] if padded else []))


def _run_counters(session, binary, record=None, options=""):
    """(seconds of the threads, counts)."""
    scratch = session.scratch / "counters"
    empty(scratch)
    output = scratch / "stdout"
    if record:
        session.builder.record([binary, "4"], record, scratch, options, output)
    else:
        execute.run([*execute.fixed_layout_prefix(), binary, "64"], scratch, output,
                    what="counters")
    counts, time = output.read_text().splitlines()
    return float(time.split()[1]), counts


def show_counters(session):
    """The lines that threads take from each other."""
    for padded in (False, True):
        session.step(f"recording counters{' (padded)' if padded else ''}")
        record = session.scratch / "counters.gstride"
        record.unlink(missing_ok=True)
        _run_counters(session, _counters(session, padded, "recorded"), record, "cache")
        shared = session.builder.report(record).get("sharing", [])
        shared = [s for s in shared if s["object"] == "Counters"]
        text = "\n".join(f"* {s['object']} at {s['writer']['file'].rpartition('/')[2]}:"
                         f"{s['writer']['line']}: bytes {s['written']} are written, {s['used']} "
                         f"used by another thread; taken {s['false']:,} times for nothing, "
                         f"{s['true']:,} times for what was written" for s in shared) or "* none"
        session.context.report.append(f"counters{', padded' if padded else ''}: shared lines\n\n"
                                      + text)


def time_counters(session, rounds):
    session.step("timing counters")
    binaries = {padded: _counters(session, padded, "plain") for padded in (False, True)}
    found = interleaved(rounds, {p: lambda b=b: _run_counters(session, b)
                                 for p, b in binaries.items()})
    if len({counts for each in found for _, counts in each.values()}) != 1:
        raise OutputMismatch("counters: padded ones count otherwise")
    session.sampled("counters", "time of a fixed program", "s", [each[True][0] for each in found],
                    "in one line", [each[False][0] for each in found])
