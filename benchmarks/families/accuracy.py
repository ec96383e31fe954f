# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `accuracy`: are the counts right?

For each program and one fixed input: our profile against llvm-bolt's, edge by edge and
call by call, and both against callgrind, which counts the instructions and jumps of the
original program and is the judge wherever the two differ.

What differs between runs of one instrumented program is nobody's error: each is run
again, ours also with its addresses randomized (hashes and sorted pointers depend on
them) and under valgrind, which has other addresses, another processor, and long doubles
of 64 bits. What differs between those runs is reported as varying. The counts of the run
under valgrind are compared with callgrind's block by block, executed or not: each block
with its first instruction. A function with a call that did not return (exit, longjmp) is a
case of its own, since the flow through it does not add up (docs/design/instrumentation.md).
"""

import shutil
from collections import Counter

from bench import callgrind, fdata, table
from bench.cache import need_tool
from bench.errors import BenchError, OutputMismatch
from bench.execute import moved_layout_prefix
from bench.gprofile import Profile
from bench.image import Image
from bench.rows import Row
from families import variants
from families.witness import VERDICTS, Witness, by_function, judge
import programs

ABOUT = "instrumentation: counts against llvm-bolt's and callgrind's"
PROGRAMS = ["sqlite", "lua", "zstd", "perl", "redis", "minicc"]
QUICK_PROGRAMS = ["sqlite", "lua", "zstd"]
MOVED = 5               # runs of our program with random addresses
NATURAL = 2 + MOVED     # its runs outside of valgrind
SHOWN = 12      # functions and places that a report names


class Tool:
    """A program instrumented by one tool, and the profiles of its runs."""

    def __init__(self, case, name, directory, flags=()):
        self.case, self.name = case, name
        self.optimizer = case.tools[name]
        # Equally long paths move no stack; the file's name tells callgrind's objects apart.
        self.binary = directory / case.program.name
        self.counts = directory / "counts"
        case.progress.step(f"{case.program.name}: instrumenting ({name})")
        self.optimizer.optimize(case.baseline, self.binary, [
            "-instrument", f"-instrumentation-file={self.counts}", *flags],
            f"instrumenting {case.program.name}")
        self.runs = []

    def run(self, prefix=()):
        """One run of the workload; its counts join `runs`."""
        case = self.case
        case.progress.step(f"{case.program.name}: run {len(self.runs) + 1} ({self.name})")
        for old in self.files():
            old.unlink()
        result = case.program.run(self.binary, case.kind, case.scratch, prefix)
        if result.output != case.expected:
            raise OutputMismatch(f"{case.program.name}: instrumented by {self.name}, it computes "
                                 "something else")
        if not self.files():
            raise BenchError(f"{case.program.name} ({self.name}) left no profile")
        self.runs.append(self.read())

    def files(self):
        return sorted(self.counts.parent.glob(f"{self.counts.name}*"))

    def read(self):
        return fdata.read(*self.files())


class Ours(Tool):
    """Counts of all processes are in one file, which is exported."""

    def read(self):
        text = self.case.scratch.parent / "exported.fdata"
        self.optimizer.export(self.counts, text)
        return fdata.read(text)


class Case:
    """One program: all runs, then all comparisons."""

    def __init__(self, program, context):
        self.program, self.tools = program, context.tools
        self.progress, self.cache = context.progress, context.cache
        self.kind = program.exact_kind
        self.scratch = self.cache.dir("run", program.name) / "scratch"

    def measure(self):
        program = self.program
        self.baseline = program.baseline()
        program.inputs()
        self.image = Image(self.baseline)
        self.expected = program.run(self.baseline, self.kind, self.scratch).output
        self.cache.fresh_dir("accuracy", program.name)
        ours = Ours(self, "ours", self.cache.dir("accuracy", program.name, "v00"))
        ours.run()
        ours.run()
        for _ in range(MOVED):
            ours.run(moved_layout_prefix())
        # Timers fire more often in a slow program, so only such runs are comparable.
        for _ in range(1 if program.repeatable else 3):
            ours.run([need_tool("valgrind", "valgrind"), "--tool=none", "-q"])
        ours.profile = Profile(ours.counts)
        # A process of llvm-bolt's overwrites the profile of the one before it.
        theirs = Tool(self, "peer", self.cache.dir("accuracy", program.name, "v01"),
                      ["-instrumentation-file-append-pid"])
        theirs.run()
        theirs.run()
        self.ours, self.theirs = ours, theirs
        self.block_offsets = {f.name: f.blocks for f in ours.profile.functions}
        self.progress.step(f"{program.name}: callgrind")
        result, execution = callgrind.measure(program, self.baseline, self.kind, self.scratch,
                                              self.image)
        if result.output != self.expected:
            raise OutputMismatch(f"{program.name} computes something else under callgrind")
        self.witness = Witness(self.image, execution)

    def compare(self, kind):
        """Our edges or calls against theirs: (equal, verdicts, alone)."""
        mine, other = getattr(self.ours.runs[0], kind), getattr(self.theirs.runs[0], kind)
        shared = self.ours.runs[0].functions() & self.theirs.runs[0].functions()
        difference = fdata.compare(mine, other, lambda key: key[0] in shared)

        def varies(key):
            return any(len({getattr(run, kind).get(key, 0) for run in tool.runs}) > 1
                       for tool in (self.ours, self.theirs))

        verdicts = judge(difference.differ, getattr(self.witness, kind[:-1]), varies)
        return difference.equal, verdicts

    def again(self, tool, kind):
        """A/A: (differing, all) between the runs of one instrumented program."""
        first, second = (getattr(run, kind) for run in tool.runs[:2])
        difference = fdata.compare(first, second)
        return len(difference.differ), difference.equal + len(difference.differ)

    def blocks(self):
        """Each block of ours against callgrind: (equal, {reason: {(function, offset): counts}})."""
        equal, reasons = 0, {"varies": {}, "left": {}, "other": {}}
        varying = self._varying_functions()
        for function in self.ours.profile.functions:
            counts = {}
            for offset, count in zip(function.blocks, self.ours.profile.block_counts(function)):
                # A conditional tail call is a block of its own, behind all others, with the
                # offset of the block that it ends.
                counts.setdefault(offset, count)
            for offset, count in counts.items():
                actual = self.witness.block(function.name, offset)
                if actual in (count, None):
                    equal += actual is not None
                    continue
                reason = "varies" if function.name in varying else \
                    "other" if self.witness.returns(function.name) else "left"
                reasons[reason][function.name, offset] = (count, actual)
        return equal, reasons

    def remarks(self, function):
        """What is known to make counts in a function wrong."""
        found = "" if self.witness.returns(function) else "; a call in it did not return"
        if self.witness.begins_with_call(function, self.block_offsets.get(function, ())):
            found += "; has a block that begins with a call"
        if self.witness.has_conditional_tail_call(function):
            found += "; has a conditional tail call"
        return found

    def _varying_functions(self):
        """Functions that were not executed in the same way each time under like conditions."""
        natural, simulated = self.ours.runs[:NATURAL], self.ours.runs[NATURAL:]
        found = set()
        for first, *others in (natural, simulated):
            for run in others:
                found |= {key[0] for key in fdata.compare(first.edges, run.edges).differ}
                for key in fdata.compare(first.calls, run.calls).differ:
                    found |= {key[0], key[2]}
        return found

    def export_errors(self):
        """Edges whose exported count is not what the flow of the profile says."""
        expected = Counter()
        for function in self.ours.profile.functions:
            for source, target, count in self.ours.profile.branches(function):
                expected[function.name, source, target] += count
        exported = self.ours.runs[-1].edges
        wanted = {key: count for key, count in expected.items() if count and key[2]}
        return len(fdata.compare(wanted, exported).differ)

    def discard(self):
        shutil.rmtree(self.cache.root / "accuracy" / self.program.name, ignore_errors=True)
        shutil.rmtree(self.scratch.parent, ignore_errors=True)


def _row(program, metric, peer, differing, compared):
    ratio = differing / compared if compared else 0.0
    exact = (ratio, ratio) if program.repeatable else (None, None)
    return Row("accuracy", program.name, metric, "count", differing, peer, compared, ratio, *exact)


def _places(case, found, limit=SHOWN):
    """The first place of each function, as lines of a list."""
    lines = []
    for function, number in by_function(found)[:limit]:
        key = next(key for key in found if key[0] == function)
        where = " ".join(str(word) if isinstance(word, str) else hex(word) for word in key[1:])
        counts = " ".join("?" if n is None else str(n) for n in found[key])
        lines.append(f"    {function}: {number}, for example {where}: {counts}"
                     f"{case.remarks(function)}")
    if len(by_function(found)) > limit:
        lines.append(f"    and {len(by_function(found)) - limit} more functions")
    return lines


class Report:
    """The tables and lists of all programs."""

    def __init__(self):
        self.peer, self.blocks, self.lists = [], [], []

    def add(self, case, compared, blocks):
        name = case.program.name
        for kind, (equal, verdicts) in compared.items():
            counts = [len(verdicts[verdict]) for verdict in VERDICTS]
            self.peer.append([name, kind, equal, sum(counts), *counts,
                              *(case.again(tool, kind)[0] for tool in (case.ours, case.theirs))])
            for verdict in ("theirs", "neither", "unknown", "ours"):
                if verdicts[verdict]:
                    self.lists.append(f"{name}, {kind}, callgrind's verdict: {verdict} "
                                      "(ours, llvm-bolt's, callgrind's)\n\n"
                                      + "\n".join(_places(case, verdicts[verdict])))
        equal, reasons = blocks
        counted = [f.name for f in case.ours.profile.functions]
        self.blocks.append([name, case.kind, equal, *(len(found) for found in reasons.values()),
                            f"{100 * case.witness.covered(counted):.2f} %", case.export_errors()])
        for reason in ("left", "other"):
            if reasons[reason]:
                self.lists.append(f"{name}, blocks, {reason} (ours, callgrind's)\n\n"
                                  + "\n".join(_places(case, reasons[reason])))

    def markdown(self):
        def lines(header, body):
            body = [[cell if isinstance(cell, str) else f"{cell:,}" for cell in row]
                    for row in body]
            return "\n".join(table.grid(header, body, "ll" + "r" * (len(header) - 2)))

        return [lines(("program", "kind", "equal", "differ", "varies", "ours right",
                       "llvm-bolt right", "neither", "unknown", "A/A ours", "A/A llvm-bolt"),
                      self.peer),
                lines(("program", "workload", "blocks equal", "varies",
                       "a call did not return", "differ", "instructions covered",
                       "export errors"), self.blocks), *self.lists]


def _measure_one(case, report):
    case.measure()
    program, rows = case.program, []
    compared = {kind: case.compare(kind) for kind in ("edges", "calls")}
    for kind, (equal, verdicts) in compared.items():
        lasting = sum(len(found) for verdict, found in verdicts.items() if verdict != "varies")
        rows.append(_row(program, f"{kind}_differ", variants.LLVM_BOLT, lasting, equal + lasting))
        rows.append(_row(program, f"{kind}_differ", variants.CONTROL, *case.again(case.ours, kind)))
        rows.append(_row(program, f"{kind}_differ[{variants.LLVM_BOLT}]", variants.CONTROL,
                         *case.again(case.theirs, kind)))
    blocks = case.blocks()
    differing = len(blocks[1]["other"])
    rows.append(_row(program, "blocks_differ", "callgrind", differing, blocks[0] + differing))
    report.add(case, compared, blocks)
    return rows


def measure(options, context):
    """All rows of the family; --rounds and --counts-only have no meaning here."""
    rows, report = [], Report()
    for cls in programs.select(options.programs, QUICK_PROGRAMS if options.quick else PROGRAMS):
        case = Case(cls(context.cache, context.sources, context.progress), context)
        rows += _measure_one(case, report)
        if not options.keep:
            case.discard()
    context.report += report.markdown()
    return rows, {}
