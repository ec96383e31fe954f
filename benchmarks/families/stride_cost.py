# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recording costs: time and memory of recorded programs against the same compiled without
Graupel, run by run; and other recorders of the same machine on smaller inputs.
"""

from bench import execute
from bench.cache import need_tool
from bench.errors import BenchError, OutputMismatch
from families import stride_programs
from families.pairs import interleaved

PLAIN = "not recorded"
# Column -> GRAUPEL_STRIDE.
MODES = {"exact": "", "sampled": "sample", "cache": "cache"}
ALL_KERNELS = {"affine": "", "irregular": "all"}
PEERS = {"cachegrind": ["--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null"],
         "callgrind": ["--tool=callgrind", "--callgrind-out-file=/dev/null"],
         "lackey": ["--tool=lackey", "--trace-mem=yes", "--log-file=/dev/null"]}


def supported(session):
    """The modes that the runtime knows."""
    scratch = session.scratch / "work"
    stride_programs.empty(scratch)
    source = scratch / "probe.c"
    source.write_text("int value; int main(void) { return value; }\n")
    binary = session.builder.compile([source], "recorded", "probe")
    modes = {}
    for name, options in MODES.items():
        try:
            session.builder.record([binary], session.scratch / "probe.gstride", scratch, options)
            modes[name] = options
        except BenchError as error:
            if "GRAUPEL_STRIDE has" not in str(error):
                raise
            session.context.notes.append(f"{name}: this runtime has no GRAUPEL_STRIDE={options}")
    return modes


def require_same(name, runs):
    results = {result for _, _, result in runs}
    if len(results) != 1:
        raise OutputMismatch(f"{name}: recorded and other runs differ in their results")


def time_program(session, of, rounds, kind, modes):
    """Rows of one whole program."""
    session.step(f"timing {of.name}")
    of.prepare()
    builder, scratch = session.builder, session.scratch / "work"
    plain, recorded = (of.build(builder, k) for k in ("plain", "recorded"))
    again = builder.copy(plain)

    def runner(binary, options=None):
        return lambda: stride_programs.run(of, builder, binary, kind, scratch, options)

    runs = {PLAIN: runner(plain), "A/A": runner(again),
            **{mode: runner(recorded, options) for mode, options in modes.items()}}
    found = interleaved(rounds, runs)
    for each in found:
        require_same(of.name, each.values())
    plain_times = [each[PLAIN][0] for each in found]
    for mode in [*modes, "A/A"]:
        session.pair(of.name, f"time[{mode}]", "s", [each[mode][0] for each in found], PLAIN,
                     plain_times)
    for mode in modes:
        session.pair(of.name, f"memory[{mode}]", "kB", [each[mode][1] for each in found], PLAIN,
                     [each[PLAIN][1] for each in found])


def time_peers(session, of, modes):
    """Other recorders, and ours, on the smallest input: once, as they are slow."""
    session.step(f"peers of {of.name}")
    builder, scratch = session.builder, session.scratch / "work"
    plain, recorded = (builder.built(of.name, k) for k in ("plain", "recorded"))
    base = [stride_programs.run(of, builder, plain, "count", scratch) for _ in range(3)]
    seconds = max(min(time for time, _, _ in base), 0.001)
    ours = [stride_programs.run(of, builder, recorded, "count", scratch, modes["exact"])
            for _ in range(3)]
    require_same(of.name, [*base, *ours])
    session.once(of.name, "time of a small input", "s", min(time for time, _, _ in ours), PLAIN,
                 seconds)
    for peer, options in PEERS.items():
        time = valgrind(of, plain, options, scratch)
        session.once(of.name, f"time of a small input[{peer}]", "s", time, PLAIN, seconds)


def valgrind(of, binary, options, scratch):
    stride_programs.empty(scratch)
    tool = need_tool("valgrind", "valgrind")
    time = 0.0
    for arguments in of.commands("count"):
        cost = execute.run([tool, *options, binary, *arguments], scratch, scratch / "stdout",
                           what=f"{of.name} in {options[0]}")
        time += cost.user_time + cost.system_time
    return time


def time_kernels(session, name, rounds, options=""):
    """Rows of a microbenchmark's kernels, ratio by ratio."""
    session.step(f"timing {name} loops")
    builder, scratch = session.builder, session.scratch / "work"
    source = stride_programs.kernel_source(name)
    plain, recorded = (builder.compile([source], kind, name, "-pthread")
                       for kind in ("plain", "recorded"))

    def runner(binary, recording):
        def run():
            stride_programs.empty(scratch)
            argv = [*execute.fixed_layout_prefix(), binary, ALL_KERNELS[name], "3"]
            output = scratch / "stdout"
            if recording:
                builder.record(argv, scratch.parent / f"{name}.gstride", scratch, options, output)
            else:
                execute.run(argv, scratch, output, what=name)
            return stride_programs.kernel_times(output.read_text())
        return run

    found = interleaved(rounds, {PLAIN: runner(plain, False), "A/A": runner(builder.copy(plain), False),
                                 "exact": runner(recorded, True)})
    kernels = [k for k in found[0][PLAIN] if all(k in each[run] and each[run][k] > 0
                                                 for each in found for run in each)]
    if not kernels:
        raise BenchError(f"{name} printed no times")
    for kernel in kernels:
        for mode in ("exact", "A/A"):
            session.pair(kernel, f"{name} loops[{mode}]", "us",
                         [each[mode][kernel] / 1000 for each in found], PLAIN,
                         [each[PLAIN][kernel] / 1000 for each in found])
