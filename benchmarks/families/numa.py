# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `numa`: is what `graupel numa` measures true?

1. `bench` against independent programs:
chase   a cycle through lines of a buffer that are more than the caches hold
stream  sum and copy of arrays of doubles, one thread and one on each processor

Each round runs ours, the peer and the peer again (A/A), close together: memory is shared with
whatever else the machine does. Everyone reports the best of its samples.

2. `profile` of programs of several threads (numa_traffic.py): a sample against an exact count, and
what it costs. --counts-only: without the cost, and without `bench`.
"""

import json
import subprocess
from pathlib import Path

from bench.cache import checked, digest_of, need_tool
from bench.errors import BenchError
from bench.table import grid
from families import numa_traffic
from families.choice import chosen_names
from families.pairs import Pairs, interleaved

ABOUT = "measured memory against independent programs; sampled traffic against exact counts"
WITHOUT_OPTIMIZER = True
BENCH = ["chase", "stream"]
PROGRAMS = [*BENCH, *numa_traffic.PROGRAMS]
QUICK = [*BENCH, "trap", "table", "ocean", "em3d"]
HERE = Path(__file__).resolve().parent.parent / "numa"
BOUND = 1.05
# What ours measures for a program, in which table, row and column.
SUBJECTS = {"chase": [("latency", "ns")],
            "stream": [("read, one processor", "MB/s"), ("copy, one processor", "MB/s"),
                       ("read, all processors", "MB/s")]}


def finished(argv, what):
    done = subprocess.run([str(a) for a in argv], check=False, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise BenchError(f"{what} ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def cell(data, table, column, *labels):
    """The figure of the first row that starts with `labels`."""
    found = next(t for t in data["tables"] if t["name"] == table)
    for row in found["rows"]:
        if row[:len(labels)] == list(labels):
            return row[found["columns"].index(column)]
    raise BenchError(f"`graupel numa bench` has no row {labels} in `{table}`")


class Machine:
    """Where to run: the first node's processors, as ours has chosen them."""

    def __init__(self, graupel):
        self.graupel = graupel
        self.data = self.bench("latency", 1)
        node = next(n for n in self.data["machine"]["nodes"] if n["processors"])
        self.node, self.processors = node["node"], node["processors"]
        cache = self.data["machine"]["last_cache_bytes"]
        self.chase_mib = max(256, (8 * cache >> 20) // 8 * 8)
        self.stream_mib = max(64, 4 * cache >> 20)

    def bench(self, only, seconds, *options):
        return json.loads(finished([self.graupel, "numa", "bench", "--json", f"--only={only}",
                                    f"--seconds={seconds}", *options], "graupel numa bench"))


class Peers:
    """The independent programs, built."""

    def __init__(self, cache, machine):
        self.machine = machine
        self.programs = {}
        for name in BENCH:
            source, target = HERE / f"{name}.c", cache.dir("numa") / name
            cache.once(f"numa-{name}", digest_of(source), [target],
                       lambda s=source, t=target: checked(
                           [need_tool("gcc", "gcc"), "-O3", "-fno-tree-loop-distribute-patterns",
                            "-pthread", s, "-o", t],
                           what=f"building {s.name}"))
            self.programs[name] = target

    def chase(self):
        text = finished([self.programs["chase"], self.machine.processors[0], self.machine.chase_mib],
                        "chase")
        return {"latency": float(text)}

    def stream(self):
        one = self.run_stream(self.machine.processors[:1])
        everyone = self.run_stream(self.machine.processors)
        return {"read, one processor": one[0], "copy, one processor": one[1],
                "read, all processors": everyone[0]}

    def run_stream(self, processors):
        return [float(word) for word in finished(
            [self.programs["stream"], self.machine.stream_mib, *processors], "stream").split()]


def ours(machine, name, seconds):
    node = str(machine.node)
    place = f"--nodes={machine.node}"
    if name == "chase":
        data = machine.bench("latency", seconds, place)
        return {"latency": cell(data, "latency by node", node, machine.node)}
    data = machine.bench("bandwidth,one", seconds, place)
    return {"read, one processor": cell(data, "bandwidth by node, one processor", node, machine.node),
            "copy, one processor": cell(data, "bandwidth of one processor", "MB/s", "bw-copy"),
            "read, all processors": cell(data, "bandwidth by node", node, machine.node)}


def agreement_table(rows):
    """A line for each figure: how far ours is from the peer, and the peer from itself."""
    control = {r.metric.partition("[")[0]: r.ratio for r in rows if r.metric.endswith("[A/A]")}
    body = []
    for row in rows:
        if row.metric.endswith("[A/A]"):
            continue
        off = max(row.ratio, 1 / row.ratio)
        verdict = "holds" if off <= BOUND else "missed"
        body.append((row.metric, f"{BOUND:g}", f"{row.ratio:.3f}", f"{control[row.metric]:.3f}", verdict))
    return "\n".join(grid(("figure", "bound", "ours to the peer's", "A/A", ""), body, "lrrrl"))


def compare(pairs, name, rounds):
    for metric, unit in SUBJECTS[name]:
        mine, peers, again = ([r[who][metric] for r in rounds] for who in ("ours", "peer", "again"))
        pairs.pair(name, metric, unit, mine, "independent program", peers)
        pairs.sampled(name, f"{metric}[A/A]", unit, again, "independent program", peers)


def measure_bench(pairs, options, context, names, rounds):
    graupel = options.build.resolve() / "bin" / "graupel"
    if not graupel.exists():
        raise BenchError(f"{graupel} does not exist; build Graupel first, or name another build "
                         "folder (--build)")
    machine = Machine(graupel)
    peers = Peers(context.cache, machine)
    for name in names:
        context.progress.step(f"{name}: {rounds} rounds")
        run = getattr(peers, name)
        compare(pairs, name, interleaved(rounds, {
            "ours": lambda n=name: ours(machine, n, 2 if n == "chase" else 4),
            "peer": run, "again": run}))
    context.report.append(agreement_table(pairs.rows))


def measure_traffic(pairs, options, context, names, rounds):
    runs = numa_traffic.Runs(options, context)
    found, counted, timed = {}, [], len(pairs.rows)
    for name in names:
        subject = numa_traffic.subject(name, context)
        context.progress.step(f"{name}: profiles")
        found[name], how = numa_traffic.count(runs, subject, 1 if options.quick else 3)
        counted += numa_traffic.count_rows(name, found[name])
        if how == "guessed":
            context.notes.append(f"{name}: the kernel does not say who touches pages first")
        if not options.counts_only:
            context.progress.step(f"{name}: {rounds} rounds")
            numa_traffic.time(pairs, runs, subject, rounds)
    if found:
        context.report.append(numa_traffic.count_table(found))
    if not options.counts_only and found:
        context.report.append(numa_traffic.time_table(pairs.rows[timed:]))
    pairs.rows += counted


def measure(options, context):
    """All rows of the family."""
    names = chosen_names(options, "numa", PROGRAMS, QUICK)
    pairs = Pairs("numa")
    rounds = options.rounds or (3 if options.quick else 9)
    bench = [name for name in names if name in BENCH]
    if bench and not options.counts_only:
        measure_bench(pairs, options, context, bench, rounds)
    measure_traffic(pairs, options, context, [n for n in names if n not in BENCH], rounds)
    return pairs.rows, pairs.combined()
