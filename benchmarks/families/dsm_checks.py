# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `dsm`: what checks and polls cost where all memory is valid.

Peer of the programs is the same source compiled without Graupel. Besides with all checks they
are built with those of stores alone, and with polls alone: what checks could cost at best.
"""

import re

from bench import counts
from bench.cache import checked, need_tool
from bench.errors import BenchError, OutputMismatch
from bench.stats import geometric_mean
from families import dsm_output, dsm_report
from families.dsm_build import ABLATIONS, MICRO_FOLDER, PORTS
from families.dsm_session import interleaved, require_same

BASELINE, CONTROL, POLLS = "uninstrumented", "A/A", "polls alone"

STUB = ".stub"
MARK = "$0x4d534447,%eax"    # begins each function with checks (graupel/dsm_checks.h)
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+(\S+)(.*)$")
FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")


# --- Length -------------------------------------------------------------------


def hot_path(listing):
    """{function: instructions up to its first return} of objdump's listing of functions without
    loops. Conditional jumps go to slow paths, and are not taken; a call through a table of
    routines comes to one that returns at once. Slow paths' stubs are left out, and so is the mark of
    a function, which is no part of a check."""
    found, name = {}, None
    for line in listing.splitlines():
        if match := FUNCTION.match(line):
            name = None if match[1].endswith(STUB) else match[1]
            if name:
                found[name] = 0
        elif name and (match := INSTRUCTION.match(line)):
            mnemonic, operands = match[1], match[2]
            if operands.strip() == MARK:
                continue
            if mnemonic.startswith("jmp"):
                raise BenchError(f"{name} jumps on its hot path; its length is not known")
            calls = mnemonic.startswith("call")
            if calls and "*" not in operands:
                raise BenchError(f"{name} calls on its hot path; its length is not known")
            found[name] += 2 if calls else 1
            if mnemonic.startswith("ret"):
                name = None
    return found


def check_lengths(session):
    """Instructions that an access needs in addition, by kind of check, from disassembly."""
    source = MICRO_FOLDER / "lengths.c"
    folder = session.context.cache.dir("dsm", "objects")
    session.step("lengths: disassembling")
    found = {}
    for kind in ("bare", "checked", "table", "sentinel", "slow15"):
        code = folder / f"lengths.{kind}.o"
        session.builder.compile_only(source, kind, code)
        found[kind] = hot_path(checked(
            [need_tool("objdump", "binutils"), "-d", "--no-show-raw-insn", code], what="objdump"))
    for function, bare in found["bare"].items():
        slow = found["slow15"][function] - bare
        for kind in ("table", "sentinel", "checked"):
            session.exact(function.replace("_", " "), f"check length[{kind}]", "count",
                          found[kind][function] - bare, "through a table of routines", slow)


# --- Counts -------------------------------------------------------------------


def count_checks(session, program, ablations=ABLATIONS):
    """Instructions of plain and checked code; the simulator needs no quiet machine."""
    found, results = {}, set()
    for kind in ("plain", "counted", *(f"counted-{a}" for a in ablations)):
        session.step(f"{program.name}: counting ({kind})")
        binary = session.builder.executable(program.source, kind)
        log = session.scratch / "cachegrind.log"
        text = session.output(
            [need_tool("valgrind", "valgrind"), "--tool=cachegrind", "--cache-sim=no",
             "--cachegrind-out-file=/dev/null", f"--log-file={log}", binary, *program.count],
            f"{program.name} ({kind}) in valgrind")
        results.add(dsm_output.result(text))
        found[kind] = counts.parse(log.read_text(errors="replace"), False).instructions
    if len(results) != 1:
        raise OutputMismatch(f"{program.name}: checked code computes something else: {results}")
    session.exact(program.name, dsm_report.COUNTED, "count", found["counted"], BASELINE,
                  found["plain"])
    for ablation in ablations:
        session.exact(program.name, f"{dsm_report.COUNTED}[{ablation}]", "count",
                      found[f"counted-{ablation}"], BASELINE, found["plain"])
    return found["counted"] / found["plain"]


def count_ports(session, ports):
    """The same of programs that nothing was tuned for, and the mean of their ratios: the bar is for
    that (compare.py)."""
    ratios = [count_checks(session, port, ()) for port in ports]
    if len(ratios) == len(PORTS):
        session.exact("ports", f"{dsm_report.COUNTED}, geometric mean", "of 1000",
                      1000 * geometric_mean(ratios), BASELINE, 1000)


def compile_costs(session, program, rounds):
    """Compiler's user time and size of the code, both of the program's own object file."""
    folder = session.context.cache.dir("dsm", "objects")
    objects = {kind: folder / f"{program.name}.{kind}.o" for kind in ("bare", "checked")}

    def compiling(kind):
        return lambda: session.builder.compile_only(program.source, kind, objects[kind]).user_time

    session.step(f"{program.name}: compiling")
    found = interleaved(rounds, {kind: compiling(kind) for kind in objects})
    session.pair(program.name, "compile time", "s", [r["checked"] for r in found], BASELINE,
                 [r["bare"] for r in found])
    size = {kind: session.builder.code_size(path) for kind, path in objects.items()}
    session.exact(program.name, "code size", "bytes", size["checked"], BASELINE, size["bare"])


# --- Times --------------------------------------------------------------------


def time_checks(session, program, rounds):
    """Processor time of the parallel phase, one node and one thread; and a control."""
    plain = session.builder.executable(program.source, "plain")
    binaries = {"plain": plain, "control": session.builder.control(plain),
                **{kind: session.builder.executable(program.source, kind)
                   for kind in ("checked", *ABLATIONS)}}

    def running(kind):
        return lambda: dsm_output.program(session.output(
            [binaries[kind], *program.reference], f"{program.name} ({kind})"))

    session.step(f"{program.name}: {rounds}+1 rounds on one node")
    found = interleaved(rounds, {kind: running(kind) for kind in binaries})
    require_same(program, [run for r in found for run in r.values()])
    times = {kind: [r[kind].processor_time for r in found] for kind in binaries}

    def pair(metric, kind, peer, peer_kind):
        session.pair(program.name, metric, "s", times[kind], peer, times[peer_kind])

    pair(dsm_report.OVERHEAD, "checked", BASELINE, "plain")
    pair(dsm_report.OVERHEAD, "control", CONTROL, "plain")
    for ablation in ABLATIONS:
        pair(f"{dsm_report.OVERHEAD}[{ablation}]", ablation, BASELINE, "plain")
    pair("checks to polls", "checked", POLLS, "polls")


def time_streams(session, rounds):
    source = MICRO_FOLDER / "streams.c"
    binaries = {kind: session.builder.executable(source, kind)
                for kind in ("plain", "checked", "polls")}

    def running(kind):
        return lambda: dsm_output.streams(session.output([binaries[kind], "--repeats=5"],
                                                         f"streams ({kind})"))

    session.step(f"streams: {rounds}+1 rounds")
    found = interleaved(rounds, {kind: running(kind) for kind in binaries})
    for kernel in found[0]["plain"]:
        runs = {kind: [r[kind][kernel] for r in found] for kind in binaries}
        if len({checksum for run in runs.values() for _, checksum in run}) != 1:
            raise OutputMismatch(f"streams: {kernel} computes something else when checked")
        times = {kind: [time for time, _ in run] for kind, run in runs.items()}
        for metric, kind in (("streaming", "checked"), ("streaming[polls]", "polls")):
            session.sampled(kernel, metric, "ns", times[kind], BASELINE, times["plain"])
