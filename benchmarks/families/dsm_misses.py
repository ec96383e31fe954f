# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `dsm`: faults, misses, messages, each beside its peer of the same run.

Peer of a fault and a downgrade is what a page-based system does instead (trap, mprotect); peer of
a miss, of synchronization and of an active message is a round trip of UCX's with the same payload.
"""

import os

from families.dsm_build import MICRO_FOLDER
from families.dsm_session import interleaved, values

UCX, PAGES, MPROTECT, ONE = "UCX round trip", "page trap", "mprotect", "one thread a node"
SIZES = (0, 32, 64, 128, 1024, 4096)
SMALL_BLOCK = "reading 128 B blocks"


def _built(session, name):
    return session.builder.executable(MICRO_FOLDER / f"{name}.c", "checked")


def time_faults(session, rounds):
    """A refused access, and a downgrade, without messages."""
    binary = _built(session, "fault")
    two = session.on_nodes(binary, [], 1, 2)
    session.step(f"fault: {rounds}+1 rounds")
    runs = {"alone": lambda: session.figures([binary], "fault")}
    if len(os.sched_getaffinity(0)) > 1:
        runs["running"] = lambda: session.figures(two, "fault with two threads")
    found = interleaved(rounds, runs)
    for metric, run, name, peer, peer_name in (
            ("software fault", "alone", "fault", PAGES, "page trap"),
            ("downgrade", "alone", "downgrade", MPROTECT, "protect"),
            ("downgrade, a thread running", "running", "downgrade, a thread running", MPROTECT,
             "protect, a thread running"),
            ("false match", "alone", "matching load", "another load", "load")):
        if run in runs:
            session.sampled("fault", metric, "ns", values(found, run, name), peer,
                            values(found, run, peer_name))


def time_misses(session, rounds, transport):
    """Our misses and messages, and UCX's round trips, interleaved; `transport`: shm or tcp."""
    environment = {"UCX_TLS": "tcp"} if transport == "tcp" else {}
    repeats = 1 if transport == "tcp" else 2
    remote, messages, fault = (_built(session, n) for n in ("remote", "messages", "fault"))
    peer = session.builder.peer()
    runs = {
        "ours": lambda: session.figures(session.on_nodes(remote, [repeats], 2),
                                        f"remote over {transport}", **environment),
        "peer": lambda: session.figures([peer, 4000 * repeats], f"ucx_pingpong over {transport}",
                                        **environment),
        "messages": lambda: session.figures(session.on_nodes(messages, [4000 * repeats], 2),
                                            f"messages over {transport}", **environment)}
    if transport == "shm":
        runs["fault"] = lambda: session.figures([fault], "fault")
        runs["threads"] = lambda: session.figures(session.on_nodes(remote, [1], 2, 2),
                                                  "remote with two threads a node")
    session.step(f"remote, messages: {rounds}+1 rounds over {transport}")
    found = interleaved(rounds, runs)
    _misses(session, found, transport)
    _messages(session, found, transport)
    if transport == "shm":
        _parts_of_a_miss(session, found)
        _bandwidth(session, found)
        _several_threads(session, found)


def _trips(found, size):
    return values(found, "peer", f"round trip {size}")


def _misses(session, found, transport):
    for kind, metric in (("read", "miss"), ("write", "write miss"), ("upgrade", "upgrade")):
        for size in (64, 128):
            session.sampled("remote", f"{metric} latency {size} B {transport}", "us",
                            values(found, "ours", f"{kind} {size}"), UCX,
                            _trips(found, 0 if kind == "upgrade" else size))
    for name in ("barrier", "lock", "contended lock", "fetch-and-add"):
        session.sampled("remote", f"{name} {transport}", "us", values(found, "ours", name), UCX,
                        _trips(found, 0))


def _messages(session, found, transport):
    """Active messages with dispatch loop and credits against the same without."""
    for size in SIZES:
        for who in ("", "handler "):
            session.sampled("messages", f"{who}message {size} B {transport}", "us",
                            values(found, "messages", f"{who}round trip {size}"), UCX,
                            _trips(found, size))
    blasted, acknowledged, aside, set_aside = (
        sum(values(found, run, name)) for run, name in (
            ("messages", "blasted"), ("messages", "acknowledged"), ("messages", "set aside"),
            ("ours", "set aside")))
    session.once("messages", f"acknowledgements {transport}", "count", acknowledged,
                 "messages", blasted)
    session.once("messages", f"messages set aside {transport}", "count", aside + set_aside,
                 "messages", blasted)


def _parts_of_a_miss(session, found):
    """What of a read miss is no message: the fault here, the downgrade at home. And how much more
    it takes than a load that hits."""
    miss = values(found, "ours", "read 64")

    def microseconds(name):
        return [t / 1000 for t in values(found, "fault", name)]

    session.sampled("remote", "tags and fault of a miss", "us",
                    [a + b for a, b in zip(microseconds("fault"), microseconds("downgrade"))],
                    "miss", miss)
    session.sampled("remote", "remote load", "us", miss, "local load", microseconds("load"))


def _bandwidth(session, found):
    small = values(found, "ours", "bandwidth 128")
    for metric, run, name in (("bandwidth, 4 KiB blocks", "ours", "bandwidth 4096"),
                              ("bandwidth, 128 B messages", "messages", "blast 128"),
                              ("bandwidth, 4 KiB messages", "messages", "blast 4096")):
        session.sampled("remote", metric, "MB/s", values(found, run, name), SMALL_BLOCK, small)


def _several_threads(session, found):
    """Two threads a node, one of which waits; needs as many processors."""
    session.sampled("remote", "miss latency 64 B shm[2 threads]", "us",
                    values(found, "threads", "read 64"), ONE, values(found, "ours", "read 64"))
    if len(os.sched_getaffinity(0)) < 4:
        session.context.notes.append(
            "misses with two threads on each of two nodes: there are fewer than four processors, so "
            "waiting threads sleep, and waking them is part of the miss")


def count_homes(session):
    """Messages for a block that goes from a producer to a consumer, by where it is at home."""
    binary = _built(session, "homes")
    session.step("homes: counting messages")
    found = session.figures(session.on_nodes(binary, [], 3), "homes")
    for case in ("first touch", "consumer"):
        session.exact("homes", f"messages, home: {case}", "count", found[case], "home elsewhere",
                      found["elsewhere"])
    data = found["first touch data"]
    session.exact("homes", "control messages", "count", found["first touch"] - data,
                  "data messages", data)
