# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `dsm`: what do checks, misses and messages of distributed shared memory cost?

Nine programs and microbenchmarks (benchmarks/dsm), each beside its peer:

 1. checks: a program on one node with one thread against the same source compiled without Graupel:
    instructions (in valgrind, with a runtime under which every check passes; of seven ports,
    too, which nothing was tuned for), processor time
    of the parallel phase, compile time, code size; small loops in nanoseconds an operation;
 2. misses: a load of a remote block, and messages, against a round trip of UCX's active messages,
    interleaved with it, over shared memory and tcp; faults and downgrades against a page's;
 3. two nodes against the program without Graupel, and against two threads on one node.

All runs of a program must print the same result.
"""

from families import dsm_checks, dsm_misses, dsm_nodes, dsm_report
from families.choice import chosen_names
from families.dsm_build import MICRO, PORTS, PROGRAMS as ALL
from families.dsm_session import Session

ABOUT = "distributed shared memory: checks, misses, messages"
PROGRAMS = [*ALL, *PORTS, *MICRO]
WITHOUT_OPTIMIZER = True
QUICK = ["barnes", "em3d", "lu", "ocean", *MICRO]


def count(session, names, chosen):
    """What the machine's load does not change."""
    if "lengths" in names:
        dsm_checks.check_lengths(session)
    for program in chosen:
        dsm_checks.count_checks(session, program)
        dsm_checks.compile_costs(session, program,
                                 1 if session.options.counts_only or session.options.quick else 3)
    dsm_checks.count_ports(session, [PORTS[name] for name in names if name in PORTS])
    if "homes" in names:
        dsm_misses.count_homes(session)
    for program in chosen:
        if program.name in dsm_nodes.TRAFFIC_PROGRAMS:
            dsm_nodes.count_traffic(session, program)


def time_one_node(session, names, chosen, rounds):
    for program in chosen:
        dsm_checks.time_checks(session, program, rounds)
    if "streams" in names:
        dsm_checks.time_streams(session, rounds)
    if "fault" in names:
        dsm_misses.time_faults(session, rounds)


def time_two_nodes(session, names, chosen, rounds):
    if dsm_nodes.processors() < 2:
        session.context.notes.append("two nodes were not timed: there is one processor")
        return
    if "remote" in names:
        for transport in ("shm", "tcp"):
            dsm_misses.time_misses(session, rounds, transport)
    for program in chosen:
        dsm_nodes.time_nodes(session, program, rounds)
    if chosen:
        session.context.report.append(dsm_nodes.speed_ups(session.rows))
    intervals = {p.name: dsm_nodes.poll_intervals(session, p) for p in chosen}
    intervals = {name: found for name, found in intervals.items() if found}
    if intervals:
        session.context.report.append(dsm_nodes.interval_table(intervals))


def measure(options, context):
    """All rows of the family. --counts-only: what the machine's load does not change."""
    names = chosen_names(options, "dsm", PROGRAMS, QUICK)
    session = Session(options, context)
    chosen = [ALL[name] for name in names if name in ALL]
    rounds = options.rounds or (3 if options.quick else 10)
    session.builder.need_runtime()
    count(session, names, chosen)
    if not options.counts_only:
        time_one_node(session, names, chosen, rounds)
        time_two_nodes(session, names, chosen, rounds)
    context.report.append(dsm_report.table(session.rows))
    return session.rows, session.combined()
