# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `numa`: how near is a sampled profile of page traffic, and what does it cost?

Programs of several threads are profiled exactly, exactly again (A/A: what the threads' own order
changes), and by a sample. Thread t runs on node t mod N of a machine that has 2 or 4; a page is on
the node of the thread that came to it first. So what is remote can be counted on any machine.

Cost is processor time of everything `graupel numa profile` starts, against the same program without
Graupel and a copy of that.
"""

import json
from dataclasses import dataclass, field
from typing import Callable

from bench import execute
from bench.rows import Row
from bench.table import grid
from families import dsm_build
from families.pairs import interleaved
from families.stride_build import Builder
from programs.base import empty
from programs.zstd import ZstdThreads

HERE = dsm_build.HERE.parent / "numa" / "examples"
THREADS = 4
NODES = (2, 4)
POINTS, SLOWER, NOTICEABLE = 3, 1.3, 0.01
PLAIN = "not recorded"
# Arguments to count, and to time.
EXAMPLES = {"trap": (["2048", "60"], ["4096", "1500"]), "cyclic": (["2048", "60"], ["4096", "1500"]),
            "table": (["2048", "60"], ["4096", "60"]), "phases": (["2048", "40"], ["4096", "800"])}
SHARED = {"ocean": (["--n=258", "--steps=12"], ["--size=published", "--steps=60"]),
          "barnes": (["--n=4096", "--steps=2"], ["--n=16384", "--steps=20"]),
          "em3d": (["--nodes=32768", "--steps=30"], ["--size=published", "--steps=1000"]),
          "lu": (["--n=512"], ["--n=3072"])}
PROGRAMS = [*EXAMPLES, *SHARED, ZstdThreads.name]


@dataclass
class Subject:
    """`build(Builder, kind)` makes an executable; arguments to count and to time."""
    name: str
    build: Callable
    count: list
    time: list
    prepare: Callable = lambda: None
    environment: dict = field(default_factory=dict)


def subject(name, context):
    if name in EXAMPLES:
        return Subject(name, lambda builder, kind: builder.compile(
            [HERE / f"{name}.c"], kind, f"numa-{name}", "-pthread"), *EXAMPLES[name])
    if name in SHARED:
        options = ["-std=c11", "-D_GNU_SOURCE", "-DGRAUPEL_DSM_SEQUENTIAL", "-fno-math-errno",
                   f"-I{dsm_build.INCLUDE}", "-pthread"]
        more = [f"--parts={THREADS}"] if name == "em3d" else []
        count, time = ([*arguments, *more] for arguments in SHARED[name])
        return Subject(name, lambda builder, kind: builder.compile(
            [dsm_build.HERE / "programs" / f"{name}.c"], kind, f"numa-{name}", *options), count, time,
            environment={"GRAUPEL_DSM_THREADS": str(THREADS)})
    program = ZstdThreads(context.cache, context.sources, context.progress)
    arguments = ["-q", f"-T{THREADS}", "-B512K", "-f", program._file("reference"), "-o", "packed.zst"]
    return Subject(name, lambda builder, kind: builder.by_recipe(program, kind),
                   ["-5", *arguments], ["-9", *arguments], program.inputs)


# --- Shares -------------------------------------------------------------------

def remote_share(objects, nodes):
    """(percentage of bytes that are remote, bytes) of data in a profile."""
    remote = total = 0
    for data in objects:
        for page in data["pages"]:
            for thread, loads, stores in page["by"]:
                total += loads + stores
                remote += (loads + stores) * (thread % nodes != page["first"] % nodes)
    return 100 * remote / total if total else 0.0, total


def by_object(profile):
    """What has one name is one datum."""
    found = {}
    for data in profile["objects"]:
        found.setdefault((data["object"], data["kind"]), []).append(data)
    return found


def differences(ours, exact, nodes):
    """What `ours` is off: points of all traffic's share; the worst datum, its points and name, of
    those with a hundredth of the traffic; percent of the bytes."""
    mine, bytes_mine = remote_share(ours["objects"], nodes)
    right, bytes_right = remote_share(exact["objects"], nodes)
    worst, where = 0.0, ""
    known = by_object(ours)
    for key, data in by_object(exact).items():
        share, some = remote_share(data, nodes)
        if some < NOTICEABLE * bytes_right:
            continue
        off = abs(remote_share(known.get(key, []), nodes)[0] - share)
        if off > worst:
            worst, where = off, key[0]
    return {"right": right, "mine": mine, "off": abs(mine - right), "worst": worst, "where": where,
            "bytes": 100 * (bytes_mine / bytes_right - 1)}


# --- Runs ---------------------------------------------------------------------

class Runs:
    def __init__(self, options, context):
        self.builder = Builder(options.build, context.cache, context.progress)
        self.scratch = context.cache.dir("numa", "run") / "work"
        self.profile_file = self.scratch.parent / "profile"

    def argv(self, of, binary, arguments, *profile):
        settings = ["env", *(f"{k}={v}" for k, v in of.environment.items())]
        if profile:
            settings += [self.builder.graupel, "numa", "profile", *profile, "-o", self.profile_file, "--"]
        return [*execute.fixed_layout_prefix(), *settings, binary, *arguments]

    def run(self, of, binary, arguments, *profile):
        empty(self.scratch)
        return execute.run(self.argv(of, binary, arguments, *profile), self.scratch, what=of.name)

    def profile(self, of, binary, *how):
        self.run(of, binary, of.count, "--json", *how)
        return json.loads(self.profile_file.read_text())


def count(runs, of, samples):
    """The differences of `samples` sampled profiles, and of another exact one, by nodes."""
    binary = of.build(runs.builder, "recorded")
    of.prepare()
    exact, again = (runs.profile(of, binary, "--exact") for _ in range(2))
    sampled = [runs.profile(of, binary) for _ in range(samples)]
    return {nodes: ([differences(each, exact, nodes) for each in sampled],
                    differences(again, exact, nodes)) for nodes in NODES}, sampled[0]["first_touch"]


def count_rows(name, found):
    """What is remote by the exact count; the worst of the samples, against the bound."""
    rows = []
    for nodes, (samples, again) in found.items():
        remote = samples[0]["right"]
        rows.append(Row("numa", name, f"remote accesses, {nodes} nodes", "%", remote, "all accesses",
                        100, remote / 100, remote / 100, remote / 100))
        for metric, each in (("", samples), ("[A/A]", [again])):
            off = max(d["off"] for d in each)
            rows.append(Row("numa", name, f"remote share, {nodes} nodes, off{metric}", "points", off,
                            "bound", POINTS, off / POINTS, off / POINTS, off / POINTS))
    return rows


def verdict(off, again):
    """Nobody can be nearer to a program than that is to itself."""
    return "holds" if off <= POINTS else "its own runs differ" if off <= 2 * again else "missed"


def count_table(found):
    body = []
    for name, by_nodes in found.items():
        for nodes, (samples, again) in by_nodes.items():
            worst = max(samples, key=lambda d: d["worst"])
            off = max(d["off"] for d in samples)
            body.append((name, str(nodes), f"{samples[0]['right']:.1f} %", f"{off:.2f}",
                         f"{worst['worst']:.2f}", worst["where"], f"{again['off']:.2f}",
                         f"{max((d['bytes'] for d in samples), key=abs):+.1f} %",
                         verdict(off, again["off"])))
    return "\n".join(grid(("program", "nodes", "remote, exactly", "sample is off", "worst datum is off",
                           "which", "A/A", "bytes", f"bound {POINTS}"), body, "lrrrrlrrl"))


def time(pairs, runs, of, rounds):
    """Rows of the cost."""
    plain, recorded = (of.build(runs.builder, kind) for kind in ("plain", "recorded"))
    again = runs.builder.copy(plain)
    of.prepare()

    def cost(binary, *profile):
        spent = runs.run(of, binary, of.time, *profile)
        return spent.user_time + spent.system_time

    found = interleaved(rounds, {PLAIN: lambda: cost(plain), "A/A": lambda: cost(again),
                                 "sampled": lambda: cost(recorded, "--json")})
    for column in ("sampled", "A/A"):
        pairs.pair(of.name, f"time[{column}]", "s", [each[column] for each in found], PLAIN,
                   [each[PLAIN] for each in found])


def time_table(rows):
    columns = ("sampled", "A/A")
    found = {}
    for row in rows:
        column = row.metric.removeprefix("time[").removesuffix("]")
        if column in columns and row.peer == PLAIN:
            found.setdefault(row.program, {})[column] = row.ratio
    body = [(name, *(f"{by[c]:.2f}" for c in columns), "holds" if by["sampled"] <= SLOWER else "missed")
            for name, by in found.items()]
    return "\n".join(grid(("program", *columns, f"bound {SLOWER}"), body, "lrrl")) if body else ""
