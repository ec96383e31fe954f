# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The case study of (Balle, Steely 1997): each published finding, and what is found today.

Three pairs of programs (benchmarks/stride/spmv), original and modified: in C and in Fortran as
written, and `published`, shapes written by hand that the compiler of then made of them.
"""

from dataclasses import dataclass

from bench import execute
from bench.errors import BenchError
from bench.table import grid
from families.pairs import interleaved
from families.stride_build import HERE

FOLDER = HERE / "spmv"
FAR = ">=32768"
MODIFIED = ["-DMODIFIED"]
# The large data set has three times as many rows and columns and seven times as many elements.
LARGE = ["-DN=75000", "-DBLOCKS=12", "-DSLOTS=1262600"]
# Of 26 calls.
PUBLISHED_CALLS = 26
PUBLISHED_REFERENCES, PUBLISHED_MISSES = (1476017322, None), (77638624, 72384348)


class Streams:
    """Streams of a report by the published names."""

    def __init__(self, report):
        self.of = {}
        for stream in report["streams"]:
            name = stream["object"].rpartition("/")[2].upper()
            self.of[name, stream["kind"]] = stream

    def share(self, name, kind, lag, *bins):
        """Percent of a stream's references that have one of these distances."""
        stream = self.of.get((name, kind))
        if stream is None:
            return None
        found = next(h["bins"] for h in stream["histograms"] if h["lag"] == lag)
        return 100 * sum(found.get(str(b), 0) for b in bins) / stream["references"]

    def elements(self, name, kind, count):
        """The same of distances of so many elements, one back."""
        stream = self.of.get((name, kind))
        return stream and self.share(name, kind, 1, count * stream["element_bytes"])

    def contiguous(self, name, kind):
        """Percent of references that begin where the one before ended, by pattern: vectors are
        several elements wide."""
        stream = self.of.get((name, kind))
        if stream is None:
            return None
        return 100 * stream["unit"] / stream["references"]

    def later(self, name, kind):
        """Percent of references that have a distance in the second histogram."""
        stream = self.of.get((name, kind))
        if stream is None:
            return None
        found = next(h["bins"] for h in stream["histograms"] if h["lag"] == 2)
        return 100 * sum(found.values()) / stream["references"]

    def references(self):
        return sum(stream["references"] for stream in self.of.values())

    def misses(self):
        return sum(stream["misses"][-1] for stream in self.of.values() if "misses" in stream)


@dataclass
class Finding:
    array: str
    kind: str
    what: str
    published: tuple            # of the original, of the modified loop; None: no such array
    measure: object             # Streams -> percent
    today: str                  # why today's figure differs, or ""


def _elements(array, kind, count):
    return lambda s: s.elements(array, kind, count)


def _far(array, kind, lag):
    return lambda s: s.share(array, kind, lag, FAR)


SUNK = ("the loads of P that the source makes one group ahead meet in a phi with those before the "
        "loop, and LLVM makes one load behind the phi of them: no group too many, and the four "
        "loads of an iteration stand last first")
VECTOR = "four elements are one vector load, so the next is four elements on"
ONE_BY_ONE = "LLVM neither splits the loop over k1 nor unrolls it"
CARRIED = "COLSTR(j+1) is kept in a register for the next column"
FINDINGS = [
    Finding("Q", "load", "stride one", (100, 100), _elements("Q", "load", 1),
            "eight are loaded for one vector store, in another order; none is far"),
    Finding("Q", "store", "stride one", (100, 100), _elements("Q", "store", 1),
            "vectors of eight side by side"),
    Finding("COLSTR", "load", "stride zero", (50, 0), _elements("COLSTR", "load", 0), CARRIED),
    Finding("COLSTR", "load", "stride one", (50, 100), _elements("COLSTR", "load", 1), CARRIED),
    Finding("YTEMP", "store", "stride one", (100, None), _elements("YTEMP", "store", 1), ""),
    Finding("YTEMP", "load", "32K and more, two back", ("all that are left", None),
            _far("YTEMP", "load", 2), ONE_BY_ONE),
    Finding("YTEMP", "load", "32K and more, three back", ("all that are left", None),
            _far("YTEMP", "load", 3), ONE_BY_ONE),
    Finding("YTEMP", "load", "32K and more, four back", ("all that are left", None),
            _far("YTEMP", "load", 4), ONE_BY_ONE),
    Finding("AA", "load", "stride one", (39, 69), _elements("AA", "load", 1), VECTOR),
    Finding("AA", "load", "stride two", (23, "fewer"), _elements("AA", "load", 2), VECTOR),
    Finding("AA", "load", "in later histograms", (0, 0), lambda s: s.later("AA", "load"), ""),
    Finding("ROWIDX", "load", "stride one", (24, 52), _elements("ROWIDX", "load", 1), SUNK),
    Finding("ROWIDX", "load", "stride two", (34, "fewer"), _elements("ROWIDX", "load", 2), SUNK),
    Finding("ROWIDX", "load", "in later histograms", (0, 0), lambda s: s.later("ROWIDX", "load"), ""),
    Finding("P", "load", "in later histograms", ("scattered", "scattered"),
            lambda s: s.later("P", "load"), ""),
]
VARIANTS = {"Fortran": ("spmv.F90", []), "C": ("spmv.c", []),
            "by hand": ("spmv.c", ["-DPUBLISHED"])}


def build(builder, variant, modified, kind, *options):
    source, own = VARIANTS[variant]
    name = f"spmv-{variant.replace(' ', '-')}{'-modified' if modified else ''}"
    return builder.compile([FOLDER / source], kind, name, *own, *(MODIFIED if modified else []),
                           *options, plain=[FOLDER / "matrix.c"])


def record(session, binary, calls, rows="random", options=""):
    """(Streams, printed checksum) of a run."""
    scratch = session.scratch / "work"
    scratch.mkdir(parents=True, exist_ok=True)
    output, file = scratch / "stdout", session.scratch / f"{binary.name}.gstride"
    output.unlink(missing_ok=True)
    file.unlink(missing_ok=True)
    # The cache's conflicts are of addresses.
    argv = [*execute.fixed_layout_prefix(), binary, str(calls), rows]
    session.builder.record(argv, file, scratch, options, output)
    return Streams(session.builder.report(file)), output.read_text().splitlines()[0]


def percent(value):
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.0f} %"


def findings_table(found):
    """`found`: {(variant, modified): Streams}."""
    header = ["array", "", "published", *(f"{v}" for v in VARIANTS), "modified: published",
              *(f"{v} " for v in VARIANTS), "today"]
    body, reasons = [], []
    for f in FINDINGS:
        cells = [f"{f.array} {f.kind}s", f.what]
        for modified in (False, True):
            cells.append(percent(f.published[modified]))
            cells += [percent(f.measure(found[v, modified])) for v in VARIANTS]
        reason = ""
        if f.today:
            if f.today not in reasons:
                reasons.append(f.today)
            reason = str(reasons.index(f.today) + 1)
        body.append([*cells, reason])
    lines = grid(header, body, "ll" + "r" * (len(header) - 3) + "l")
    return "\n".join([*lines, "", *(f"{n}. {text}." for n, text in enumerate(reasons, 1))])


def show_findings(session, calls):
    """Histograms of all variants with the paper's sizes."""
    found, sums = {}, set()
    for rows in ("random", "banded"):
        for variant in VARIANTS:
            for modified in (False, True):
                session.step(f"recording spmv ({variant}, {rows})")
                binary = build(session.builder, variant, modified, "recorded")
                found[variant, modified], checksum = record(session, binary, calls, rows)
                sums.add((rows, checksum))
        session.context.report.append(f"Sparse matrix-vector product, {rows} rows, {calls} calls\n\n"
                                      + findings_table(found))
    if len(sums) != 2:
        raise BenchError(f"variants of spmv computed different results: {sorted(sums)}")


def count_misses(session, calls, sizes, options):
    """References and misses of a 4 MB direct-mapped cache in a call, original and modified."""
    for variant in VARIANTS:
        totals = []
        for modified in (False, True):
            session.step(f"simulating spmv ({variant}, {sizes})")
            binary = build(session.builder, variant, modified, "recorded", *options)
            streams, _ = record(session, binary, calls, options="cache=dtj")
            totals.append((streams.references() / calls, streams.misses() / calls))
        (references, misses), (fewer, left) = totals
        session.exact(f"spmv {variant}", f"references, {sizes}", "count", fewer, "original",
                      references)
        session.exact(f"spmv {variant}", f"misses, {sizes}", "count", left, "original", misses)


def time(session, rounds, calls):
    """Time of the modified loop against the original's."""
    scratch = session.scratch / "work"
    scratch.mkdir(parents=True, exist_ok=True)
    output = scratch / "stdout"

    def seconds(binary):
        output.unlink(missing_ok=True)
        execute.run([*execute.fixed_layout_prefix(), binary, str(calls)], scratch, output,
                    what=binary.name)
        return float(output.read_text().splitlines()[1].split()[1])

    for variant in VARIANTS:
        session.step(f"timing spmv ({variant})")
        binaries = {m: build(session.builder, variant, m, "plain", *LARGE) for m in (False, True)}
        found = interleaved(rounds, {m: lambda b=b: seconds(b) for m, b in binaries.items()})
        session.sampled(f"spmv {variant}", "time of the loop", "s", [each[True] for each in found],
                        "original", [each[False] for each in found])
