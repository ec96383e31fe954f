# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `stride`: what does it cost to record memory accesses, and what do the records tell?

 1. spmv: the case study of (Balle, Steely 1997), finding by finding; misses; time;
 2. neighbor, counters: programs that the report leads to faster versions of;
 3. loops (affine, irregular) and whole programs: time and memory, exact, sampled and with simulated
    caches, each beside the same without recording and a copy of it; valgrind's tools on small inputs.

All runs of a program must compute the same.
"""

from families import stride_cases, stride_cost, stride_programs, stride_report, stride_spmv
from families.choice import chosen_names
from families.stride_session import Session

ABOUT = "recording memory accesses: cost, case studies"
WITHOUT_OPTIMIZER = True
SUBJECTS = [*stride_programs.WHOLE, *stride_programs.PARALLEL, stride_programs.FORTRAN]
PROGRAMS = ["spmv", "neighbor", "counters", *stride_programs.KERNELS, *SUBJECTS]
QUICK = ["spmv", "neighbor", "counters", *stride_programs.KERNELS, "lua", "yaml", "ocean",
         stride_programs.FORTRAN]


def show_cases(session, names, modes, quick, counts_only, rounds):
    if "spmv" in names:
        stride_spmv.show_findings(session, 1 if quick else 2)
        if "cache" in modes:
            stride_spmv.count_misses(session, 1 if quick else 4, "n = 14000", [])
            if not quick:
                stride_spmv.count_misses(session, 1, "n = 75000", stride_spmv.LARGE)
        if not counts_only:
            stride_spmv.time(session, rounds, 1 if quick else 5)
    if "neighbor" in names:
        stride_cases.show_neighbor(session)
        if not counts_only:
            stride_cases.time_neighbor(session, rounds)
    if "counters" in names:
        if "cache" in modes:
            stride_cases.show_counters(session)
        if not counts_only:
            stride_cases.time_counters(session, rounds)


def time_all(session, names, modes, quick, rounds):
    for name in stride_programs.KERNELS:
        if name in names:
            stride_cost.time_kernels(session, name, rounds)
    for name in SUBJECTS:
        if name in names:
            subject = stride_programs.subject(name, session.context)
            stride_cost.time_program(session, subject, rounds, "count" if quick else "quick", modes)
            if not quick:
                stride_cost.time_peers(session, subject, modes)


def measure(options, context):
    """All rows of the family. --counts-only: what the machine's load does not change."""
    names = chosen_names(options, "stride", PROGRAMS, QUICK)
    session = Session(options, context)
    rounds = options.rounds or (2 if options.quick else 5)
    modes = stride_cost.supported(session)
    show_cases(session, names, modes, options.quick, options.counts_only, rounds)
    if not options.counts_only:
        time_all(session, names, modes, options.quick, rounds)
    context.report += [text for text in (stride_report.misses_table(session.rows),
                                         stride_report.bars_table(session.rows)) if text]
    return session.rows, session.combined()
