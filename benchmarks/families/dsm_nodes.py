# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `dsm`: the nine programs on two nodes, and on two threads of one.

What the machine itself gives is the same source without Graupel on two threads.
"""

import json
import os
import shutil

from bench.errors import BenchError
from bench.table import grid
from families import dsm_output
from families.dsm_checks import BASELINE
from families.dsm_session import interleaved, require_same

PLAIN_THREADS = "2 plain threads"
NODES_TIME, PLAIN_TIME = "time on 2 nodes", "time of 2 plain threads"
TRAFFIC_PROGRAMS = ("em3d", "lu", "barnes")
TRAFFIC_PLACES = {"4 nodes": (4, 1), "2 nodes": (2, 2)}


def _arguments(program, arguments, threads):
    return [*arguments, f"--parts={threads}"] if program.name == "em3d" else arguments


def time_nodes(session, program, rounds):
    """Wall time of the phase: one thread and two without Graupel, two nodes, and two threads."""
    binary = session.builder.executable(program.source, "checked")
    plain = session.builder.executable(program.source, "plain")
    arguments = _arguments(program, program.reference, 2)
    commands = {"plain": ([plain, *arguments], {}),
                "plain threads": ([plain, *arguments], {"GRAUPEL_DSM_THREADS": "2"}),
                "nodes": (session.on_nodes(binary, arguments, 2), {}),
                "threads": (session.on_nodes(binary, arguments, 1, 2), {})}

    def running(kind):
        argv, environment = commands[kind]
        return lambda: dsm_output.program(session.output(argv, f"{program.name} ({kind})",
                                                         **environment))

    session.step(f"{program.name}: {rounds}+1 rounds on two nodes")
    found = interleaved(rounds, {kind: running(kind) for kind in commands})
    if program.exact:
        require_same(program, [run for r in found for run in r.values()])
    times = {kind: [r[kind].time for r in found] for kind in commands}
    for metric, kind, peer, peer_kind in (
            (NODES_TIME, "nodes", BASELINE, "plain"),
            (PLAIN_TIME, "plain threads", BASELINE, "plain"),
            ("time of 2 checked threads", "threads", PLAIN_THREADS, "plain threads"),
            ("threads of one node", "threads", "two nodes", "nodes")):
        session.pair(program.name, metric, "s", times[kind], peer, times[peer_kind])
    count_messages(session, program, found[-1]["nodes"].messages)


def count_messages(session, program, messages):
    if messages.get("data"):
        session.once(program.name, "control messages", "count", messages["control"],
                     "data messages", messages["data"])


def count_traffic(session, program):
    """All messages of four threads: two on each of two nodes, to one on each of four."""
    binary = session.builder.executable(program.source, "checked")
    arguments = _arguments(program, program.count, 4)
    session.step(f"{program.name}: counting messages")
    found = {}
    for name, (nodes, threads) in TRAFFIC_PLACES.items():
        messages = dsm_output.program(session.output(
            session.on_nodes(binary, arguments, nodes, threads),
            f"{program.name} on {name}")).messages
        found[name] = messages["control"] + messages["data"]
    session.once(program.name, "messages of 4 threads on 2 nodes", "count", found["2 nodes"],
                 "4 nodes", found["4 nodes"])


# --- Intervals between polls --------------------------------------------------


def quantile(histogram, share):
    """The end of the bucket in which the share is reached; [least, end, count] in any order."""
    total, seen = sum(count for _, _, count in histogram), 0
    for _, end, count in sorted(histogram):
        seen += count
        if seen >= share * total:
            return end
    raise BenchError("a histogram without samples has no quantiles")


def merged(histograms):
    """One histogram of all."""
    counts = {}
    for histogram in histograms:
        for least, end, count in histogram:
            counts[least, end] = counts.get((least, end), 0) + count
    return [[*bucket, count] for bucket, count in counts.items()]


def poll_intervals(session, program):
    """Time from a random moment to the thread's next handshake point, on two nodes."""
    binary = session.builder.executable(program.source, "checked")
    folder = session.scratch / "report"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    session.step(f"{program.name}: intervals between polls")
    session.output(session.on_nodes(binary, _arguments(program, program.reference, 2), 2),
                   f"{program.name} with a report", GRAUPEL_DSM_REPORT=str(folder))
    found = merged(json.loads(path.read_text())["polls"] for path in folder.glob("node-*.json"))
    if found:
        session.once(program.name, "time to a poll, 99 of 100", "us", quantile(found, 0.99) / 1000,
                     "half of them", quantile(found, 0.5) / 1000)
    return found


def interval_table(histograms):
    """Markdown: how many of 100 moments were followed by a poll within that time."""
    bounds = (100, 300, 1000, 3000, 10_000, 100_000, 1_000_000)
    names = ("0.1 us", "0.3 us", "1 us", "3 us", "10 us", "100 us", "1 ms")
    body = []
    for program, histogram in histograms.items():
        total = sum(count for _, _, count in histogram)
        within = [sum(c for _, end, c in histogram if end <= bound) for bound in bounds]
        body.append((program, str(total), *(f"{100 * n / total:.1f}" for n in within)))
    return "Percent of moments followed by a poll of the same thread within\n\n" + "\n".join(
        grid(("program", "moments", *names), body, "l" + "r" * (1 + len(names))))


def processors():
    return len(os.sched_getaffinity(0))


def speed_ups(rows):
    """Markdown: what two nodes gain, and what the machine has to give."""
    found = {(row.metric, row.program): row for row in rows}
    body = []
    for (metric, program), row in found.items():
        if metric != NODES_TIME:
            continue
        limit = 1 / found[PLAIN_TIME, program].ratio
        body.append((program, f"{row.peer_value:.3f} s", f"{row.value:.3f} s",
                     f"{1 / row.ratio:.2f}", f"{limit:.2f}", f"{1 / row.ratio / limit:.2f}"))
    header = ("program", "alone", "2 nodes", "speed-up", "of 2 plain threads", "share")
    return "Speed-up against the uninstrumented program on one thread\n\n" + "\n".join(
        grid(header, body, "lrrrrr"))
