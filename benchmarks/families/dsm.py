# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `dsm`: what do checks, misses and messages of distributed shared memory cost?

Nine programs and three microbenchmarks (benchmarks/dsm), each beside its peer:

 1. checks: a program on one node with one thread against the same source compiled without Graupel:
    instructions (in valgrind, with a runtime under which every check passes), processor time
    of the parallel phase, compile time, code size; small loops in nanoseconds an operation;
 2. misses: a load of a remote block against a round trip of UCX's active messages, interleaved
    with it, over shared memory and tcp; a fault that finds nothing to do against a page's;
 3. two nodes against the program without Graupel, and against two threads on one node.

All runs of a program must print the same result.
"""

import os
import subprocess

from bench import counts, execute
from bench.cache import need_tool
from bench.errors import BenchError, OutputMismatch
from bench.rows import Row
from bench.stats import combined_ratio, median, paired_ratio
from families import dsm_output, dsm_report
from families.dsm_build import HERE, MICRO, PROGRAMS as ALL, Builder

ABOUT = "distributed shared memory: checks, misses, messages"
PROGRAMS = [*ALL, *MICRO]
WITHOUT_OPTIMIZER = True
BASELINE, CONTROL, UCX, PAGES = "uninstrumented", "A/A", "UCX round trip", "page trap"
TIMEOUT = 600


def interleaved(rounds, runs):
    """[{name: result}] of `rounds` rounds; another one opens each. The first round is discarded."""
    names = list(runs)
    found = []
    for number in range(rounds + 1):
        first = number % len(names)
        found.append({name: runs[name]() for name in names[first:] + names[:first]})
    return found[1:]


def sampled(program, metric, unit, ours, peer, peers):
    """Row of paired samples."""
    return Row("dsm", program, metric, unit, median(ours), peer, median(peers),
               *paired_ratio(ours, peers))


def exact(program, metric, unit, value, peer, peer_value):
    ratio = value / peer_value
    return Row("dsm", program, metric, unit, value, peer, peer_value, ratio, ratio, ratio)


class Session:
    """Builds and runs; collects rows, and samples for means over programs."""

    def __init__(self, options, context):
        self.options, self.context = options, context
        self.builder = Builder(options.build, context.cache, context.progress)
        self.scratch = context.cache.dir("dsm", "run")
        self.rows, self.samples = [], {}

    def step(self, text):
        self.context.progress.step(text)

    def output(self, argv, what, **environment):
        """Standard output of a program that must succeed."""
        argv = [*execute.fixed_layout_prefix(), *argv]
        try:
            done = subprocess.run([str(a) for a in argv], cwd=self.scratch, text=True,
                                  env={**execute.ENVIRONMENT, **environment}, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False)
        except subprocess.TimeoutExpired as error:
            raise BenchError(f"{what} did not end within {TIMEOUT} seconds") from error
        if done.returncode != 0:
            raise BenchError(f"{what} ended with status {done.returncode}:\n"
                             f"  {(done.stdout + done.stderr)[-1500:]}")
        return done.stdout

    def on_nodes(self, binary, arguments, nodes, threads=1):
        return [self.builder.launcher, "dsm", "run", "-n", nodes,
                f"--threads-per-node={threads}", binary, *arguments]

    def pair(self, program, metric, unit, ours, peer, peers):
        self.rows.append(sampled(program, metric, unit, ours, peer, peers))
        self.samples.setdefault((metric, peer), []).append((ours, peers))

    def combined(self):
        return {key: combined_ratio(pairs) for key, pairs in self.samples.items()}


def require_same(program, runs):
    """All results of one program, over rounds and variants, must be equal."""
    results = sorted({run.result for run in runs})
    if len(results) != 1:
        raise OutputMismatch(f"{program.name}: results differ:\n  " + "\n  ".join(results))


# --- Checks -------------------------------------------------------------------


def count_checks(session, program):
    """Instructions of plain and checked code; the simulator needs no quiet machine."""
    found, results = {}, set()
    for kind in ("plain", "counted"):
        session.step(f"{program.name}: counting ({kind})")
        binary = session.builder.executable(program.source, kind)
        log = session.scratch / "cachegrind.log"
        text = session.output(
            [need_tool("valgrind", "valgrind"), "--tool=cachegrind", "--cache-sim=no",
             "--cachegrind-out-file=/dev/null", f"--log-file={log}", binary, *program.count],
            f"{program.name} ({kind}) in valgrind")
        results.add(dsm_output.program(text).result)
        found[kind] = counts.parse(log.read_text(errors="replace"), False).instructions
    if len(results) != 1:
        raise OutputMismatch(f"{program.name}: checked code computes something else: {results}")
    session.rows.append(exact(program.name, dsm_report.COUNTED, "count", found["counted"],
                              BASELINE, found["plain"]))


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
    session.rows.append(exact(program.name, "code size", "bytes", size["checked"], BASELINE,
                              size["bare"]))


def time_checks(session, program, rounds):
    """Processor time of the parallel phase, one node and one thread; and a control."""
    plain = session.builder.executable(program.source, "plain")
    binaries = {"plain": plain, "control": session.builder.control(plain),
                "checked": session.builder.executable(program.source, "checked")}

    def running(kind):
        return lambda: dsm_output.program(session.output(
            [binaries[kind], *program.reference], f"{program.name} ({kind})"))

    session.step(f"{program.name}: {rounds}+1 rounds on one node")
    found = interleaved(rounds, {kind: running(kind) for kind in binaries})
    require_same(program, [run for r in found for run in r.values()])
    times = {kind: [r[kind].processor_time for r in found] for kind in binaries}
    session.pair(program.name, dsm_report.OVERHEAD, "s", times["checked"], BASELINE, times["plain"])
    session.pair(program.name, dsm_report.OVERHEAD, "s", times["control"], CONTROL, times["plain"])


def time_streams(session, rounds):
    source = HERE / "micro" / "streams.c"
    binaries = {kind: session.builder.executable(source, kind) for kind in ("plain", "checked")}

    def running(kind):
        return lambda: dsm_output.streams(session.output([binaries[kind], "--repeats=5"],
                                                         f"streams ({kind})"))

    session.step(f"streams: {rounds}+1 rounds")
    found = interleaved(rounds, {kind: running(kind) for kind in binaries})
    for kernel in found[0]["plain"]:
        checked, plain = ([r[kind][kernel] for r in found] for kind in ("checked", "plain"))
        if len({checksum for _, checksum in checked + plain}) != 1:
            raise OutputMismatch(f"streams: {kernel} computes something else when checked")
        session.rows.append(sampled(kernel, "streaming", "ns", [t for t, _ in checked], BASELINE,
                                    [t for t, _ in plain]))


# --- Misses -------------------------------------------------------------------


def time_faults(session, rounds):
    binary = session.builder.executable(HERE / "micro" / "fault.c", "checked")
    session.step(f"fault: {rounds} rounds")
    found = [dsm_output.figures(session.output([binary], "fault")) for _ in range(rounds)]
    for metric, name, peer, peer_name in (("fault entry", "entry load", PAGES, "page trap"),
                                          ("false match", "matching load", "another load", "load")):
        session.rows.append(sampled("fault", metric, "ns",
                                    [dsm_output.need(f, name) for f in found], peer,
                                    [dsm_output.need(f, peer_name) for f in found]))


def time_misses(session, rounds, transport):
    """Our misses and UCX's round trips, interleaved; `transport`: shm or tcp."""
    environment = {"UCX_TLS": "tcp"} if transport == "tcp" else {}
    repeats = 1 if transport == "tcp" else 5
    remote = session.builder.executable(HERE / "micro" / "remote.c", "checked")
    peer = session.builder.peer()
    session.step(f"remote: {rounds}+1 rounds over {transport}")
    found = interleaved(rounds, {
        "ours": lambda: dsm_output.figures(session.output(
            session.on_nodes(remote, [repeats], 2), f"remote over {transport}", **environment)),
        "peer": lambda: dsm_output.figures(session.output(
            [peer, 4000 * repeats], f"ucx_pingpong over {transport}", **environment))})

    def ours(name):
        return [dsm_output.need(r["ours"], name) for r in found]

    def trips(size):
        return [dsm_output.need(r["peer"], f"round trip {size}") for r in found]

    for kind, metric in (("read", "miss"), ("write", "write miss"), ("upgrade", "upgrade")):
        for size in (64, 128):
            session.rows.append(sampled("remote", f"{metric} latency {size} B {transport}", "us",
                                        ours(f"{kind} {size}"), UCX,
                                        trips(0 if kind == "upgrade" else size)))
    for name in ("barrier", "lock", "contended lock", "fetch-and-add"):
        session.rows.append(sampled("remote", f"{name} {transport}", "us", ours(name), UCX,
                                    trips(0)))
    if transport == "shm":
        session.rows.append(sampled("remote", "bandwidth 4 KiB", "MB/s", ours("bandwidth 4096"),
                                    "128 B blocks", ours("bandwidth 128")))


# --- Several nodes --------------------------------------------------------------


def time_nodes(session, program, rounds):
    """Wall time of the phase: without Graupel, on two nodes, and on one with two threads."""
    binary = session.builder.executable(program.source, "checked")
    plain = session.builder.executable(program.source, "plain")
    arguments = [*program.reference, "--parts=2"] if program.name == "em3d" else program.reference
    commands = {"plain": [plain, *arguments],
                "nodes": session.on_nodes(binary, arguments, 2),
                "threads": session.on_nodes(binary, arguments, 1, 2)}

    def running(kind):
        return lambda: dsm_output.program(session.output(commands[kind],
                                                         f"{program.name} ({kind})"))

    session.step(f"{program.name}: {rounds}+1 rounds on two nodes")
    found = interleaved(rounds, {kind: running(kind) for kind in commands})
    if program.exact:
        require_same(program, [run for r in found for run in r.values()])
    times = {kind: [r[kind].time for r in found] for kind in commands}
    session.pair(program.name, "speed-up 2 nodes", "s", times["nodes"], BASELINE, times["plain"])
    session.pair(program.name, "threads of one node", "s", times["threads"], "two nodes",
                 times["nodes"])
    messages = found[-1]["nodes"].messages
    if messages.get("data"):
        session.rows.append(exact(program.name, "control messages", "count", messages["control"],
                                  "data messages", messages["data"]))


def measure(options, context):
    """All rows of the family. --counts-only: what the machine's load does not change."""
    names = options.programs or PROGRAMS
    for name in names:
        if name not in PROGRAMS:
            raise BenchError(f"family dsm has the programs {', '.join(PROGRAMS)}; not '{name}'")
    session = Session(options, context)
    chosen = [ALL[name] for name in names if name in ALL]
    rounds = options.rounds or (3 if options.quick else 10)
    session.builder.need_passes()
    for program in chosen:
        count_checks(session, program)
        compile_costs(session, program, 1 if options.counts_only else 3)
    if not options.counts_only:
        session.builder.need_runtime()
        for program in chosen:
            time_checks(session, program, rounds)
        if "streams" in names:
            time_streams(session, rounds)
        if "fault" in names:
            time_faults(session, rounds)
        if "remote" in names:
            for transport in ("shm", "tcp"):
                time_misses(session, rounds, transport)
        if len(os.sched_getaffinity(0)) < 2:
            context.notes.append("two nodes were not timed: there is one processor")
        else:
            for program in chosen:
                time_nodes(session, program, rounds)
    context.report.append(dsm_report.table(session.rows))
    return session.rows, session.combined()
