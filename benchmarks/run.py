#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one benchmark family and prints its table; `run.py --list` names the families.

Examples:
  benchmarks/run.py layout --quick
  benchmarks/run.py layout --programs sqlite,lua --rounds 20 --json layout.json
  benchmarks/run.py ci --json ci.json
  benchmarks/run.py hco --counts-only --publish      # into docs/results
  benchmarks/run.py --check-published
"""

import argparse
import datetime
import os
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import families  # noqa: E402
import programs  # noqa: E402
from bench import publish  # noqa: E402
from bench import rows as result_rows  # noqa: E402
from bench import table  # noqa: E402
from bench.alias import alias  # noqa: E402
from bench.cache import Cache  # noqa: E402
from bench.errors import BenchError  # noqa: E402
from bench.optimizer import Optimizer  # noqa: E402
from bench.progress import Progress  # noqa: E402
from bench.sources import Sources  # noqa: E402
from families.variants import PEER  # noqa: E402

REPOSITORY = HERE.parent


@dataclass
class Context:
    """What the harness hands to a family."""
    cache: Cache
    sources: Sources
    progress: Progress
    tools: dict
    notes: list = field(default_factory=list)
    report: list = field(default_factory=list)      # Markdown, printed behind the tables


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", nargs="?", help="name of a benchmark family")
    parser.add_argument("--list", action="store_true", help="name families and programs and exit")
    parser.add_argument("--publish", action="store_true",
                        help="keep the rows in docs/results/data and write the documents' tables")
    parser.add_argument("--fill", action="store_true",
                        help="write the documents' tables from docs/results/data and exit")
    parser.add_argument("--check-published", action="store_true",
                        help="fail if documents and docs/results/data disagree, and name figures "
                             "that are older than the code")
    parser.add_argument("--quick", action="store_true",
                        help="fewer programs, rounds and smaller inputs (under five minutes)")
    parser.add_argument("--programs", metavar="A,B", type=lambda s: [n for n in s.split(",") if n],
                        help="only these programs")
    parser.add_argument("--rounds", metavar="N", type=int, help="timed rounds per program")
    parser.add_argument("--counts-only", action="store_true",
                        help="only figures that do not depend on the machine's load")
    parser.add_argument("--json", metavar="FILE", help="also write the rows to FILE")
    parser.add_argument("--keep", action="store_true", help="keep the optimized executables")
    parser.add_argument("--graupel-bolt", metavar="PATH", type=Path,
                        default=REPOSITORY / "build" / "bin" / "graupel-bolt",
                        help="the optimizer under test (default: build/bin/graupel-bolt); "
                             "stock llvm-bolt may stand in to test the harness")
    parser.add_argument("--llvm-bolt", metavar="PATH", type=Path, default=PEER,
                        help="the peer (default: %(default)s)")
    parser.add_argument("--build", metavar="DIR", type=Path, default=REPOSITORY / "build",
                        help="where Graupel was built, for family dsm (default: build)")
    parser.add_argument("--cache", metavar="DIR", type=Path,
                        default=REPOSITORY / "build" / "bench",
                        help="downloads, builds and profiles (default: build/bench)")
    parser.add_argument("--cpu", metavar="N", type=int, help="pin everything to one processor")
    options = parser.parse_args(argv)
    options.command = shlex.join(["benchmarks/run.py", *(
        a for a in (sys.argv[1:] if argv is None else argv) if a != "--publish")])
    without_family = options.list or options.fill or options.check_published
    if not without_family and options.family not in families.registry():
        parser.error(f"family must be one of: {', '.join(families.registry())}")
    if options.rounds is not None and options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


def show_list():
    for name, family in families.registry().items():
        print(f"{name}: {family.ABOUT}\n    programs: {', '.join(family.PROGRAMS)}")
    print("programs:")
    for name, cls in programs.registry().items():
        print(f"    {name}: {cls.about}")


def check_published():
    for line in publish.stale(REPOSITORY, families.registry()):
        print(f"note: older than the code: {line}")
    found = publish.faults(REPOSITORY, families.registry())
    for line in found:
        print(f"error: {line}", file=sys.stderr)
    return 1 if found else 0


def keep(options, rows):
    """Publishes rows."""
    publish.Publication(
        name=publish.name_of(options.family, options.counts_only), family=options.family,
        command=options.command, commit=publish.commit_of(REPOSITORY),
        date=datetime.date.today().isoformat(), machine=publish.processor(),
        rows=rows).write(REPOSITORY)
    for path in publish.fill(REPOSITORY, families.registry()):
        print(f"wrote {path.relative_to(REPOSITORY)}")


def run(options, progress):
    if options.cpu is not None:
        os.sched_setaffinity(0, {options.cpu})
    options.cache.mkdir(parents=True, exist_ok=True)
    cache = Cache(alias(options.cache), progress)
    family = families.registry()[options.family]
    tools = {} if getattr(family, "WITHOUT_OPTIMIZER", False) else {
        "ours": Optimizer(options.graupel_bolt), "peer": Optimizer(options.llvm_bolt)}
    context = Context(cache, Sources(cache), progress, tools)
    rows, combined = family.measure(options, context)
    progress.done()
    if options.json:
        result_rows.write(options.json, rows)
    if options.publish:
        keep(options, rows)
    print(table.markdown(rows))
    print()
    print(table.geomeans(rows, combined))
    for part in context.report:
        print(f"\n{part}")
    if context.notes:
        print("\nNotes:")
        for note in context.notes:
            print(f"* {note}")


def main(argv=None):
    options = arguments(argv)
    if options.list:
        show_list()
        return 0
    progress = Progress()
    try:
        if options.check_published:
            return check_published()
        if options.fill:
            publish.fill(REPOSITORY, families.registry())
            return 0
        run(options, progress)
    except BenchError as error:
        progress.done()
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        progress.done()
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
