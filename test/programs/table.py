# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of all packages, as a page of Markdown."""

import re
import textwrap
from collections import defaultdict
from pathlib import Path

from check import NORMAL_MODES

# What people have to say of it, written by hand.
NOTES = Path(__file__).with_name("notes.md")

HEAD = """# Real programs' own test suites

Packages of Debian's sources, each built in one or two configurations (compiler, level of optimization, features,
linker). Every program and library of it is rewritten in each mode, and its own test suite is run on the result. A
test counts as failed if it passes with the original and not with the rewritten files. `-verify` checks each output.
Made by:

    test/programs/run.py
    test/programs/run.py --table docs/results/programs.md

Modes: `instrumented`; `profile`: the default, with the profile of an instrumented run of the suite or of a part of
it; `plain`: the default without a profile; `hco`: `-hco -hco-growth=1000` with the profile; `spike`: `-layout=spike`
with the profile. A cell has the number of tests that pass, then `F` and those that fail with the rewritten files
only, then `R` and the files that were refused (they stay as they were for that run).
"""


def cell(record):
    if record is None:
        return ""
    text = str(record["passed"])
    if record["failed"]:
        text += f" **F{len(record['failed'])}**"
    if record["refused"]:
        text += f" R{len(record['refused'])}"
    return text


def cause(why):
    """The reason of a refusal without what differs from file to file."""
    lines = [line for line in why.splitlines() if "error:" in line] or why.splitlines()[-1:]
    text = re.sub(r".*?error: ", "", lines[0])
    text = re.sub(r"^\S*/\S+: ", "", text)
    text = re.sub(r"0x[0-9a-f]+", "0x…", text)
    return re.sub(r"\|", "/", text)[:160]


def rows(packages, records):
    """Lines of the table of one graupel-bolt."""
    builds = defaultdict(dict)
    for record in records:
        builds[record["package"], record["config"]][record["mode"]] = record
    modes = NORMAL_MODES + sorted({r["mode"] for r in records} - set(NORMAL_MODES))
    yield "| package | kind | configuration | files | " + " | ".join(modes) + " | fail with the original |"
    yield "|---" * (5 + len(modes)) + "|"
    for (name, config), by_mode in sorted(builds.items()):
        tags = ", ".join(packages[name].tags) if name in packages else ""
        some = next(iter(by_mode.values()))
        yield (f"| {name} | {tags} | {config} | {some['files']} | "
               + " | ".join(cell(by_mode.get(mode)) for mode in modes)
               + f" | {max(r['original'] for r in by_mode.values())} |")


def refusals(records):
    causes = defaultdict(set)
    for record in records:
        for file, why in record["refused"]:
            causes[cause(why)].add(f"{record['package']} {record['config']} {file}")
    if not causes:
        yield "No file was refused."
        return
    yield "| cause | files | example |"
    yield "|---|---|---|"
    for why, files in sorted(causes.items(), key=lambda item: -len(item[1])):
        yield f"| {why} | {len(files)} | {min(files)} |"


def failures(records):
    failed = [r for r in records if r["failed"]]
    if not failed:
        yield "No test fails that passes with the original."
        return
    yield "| where | tests |"
    yield "|---|---|"
    for record in failed:
        names = ", ".join(f"`{test[:60]}`" for test in record["failed"][:4])
        yield (f"| {record['package']} {record['config']} {record['mode']} | "
               f"{len(record['failed'])}: {names} |")


def state_of(records):
    """What is known of a package, in a few words."""
    failed = sum(len(r["failed"]) for r in records)
    refused = {(r["config"], file) for r in records for file, _ in r["refused"]}
    words = []
    if failed:
        words.append(f"**{failed} fail**")
    if refused:
        words.append(f"{len(refused)} file{'s' if len(refused) > 1 else ''} refused")
    return ", ".join(words) or "passes"


def overview(packages, records):
    """One line a package: its state with the newest graupel-bolt that ran it."""
    by_package = defaultdict(list)
    for record in records:
        by_package[record["package"]].append(record)
    yield "| package | kind | configurations | modes | tests | state | commit |"
    yield "|---" * 7 + "|"
    for name, some in sorted(by_package.items()):
        last = max(some, key=lambda r: r["date"])
        tags = ", ".join(packages[name].tags) if name in packages else ""
        tests = max(r["passed"] + len(r["failed"]) for r in some)
        yield (f"| {name} | {tags} | {', '.join(sorted({r['config'] for r in some}))} | "
               f"{len({r['mode'] for r in some})} | {tests} | {state_of(some)} | "
               f"{last['commit']} |")


def counted(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


def sentence(text):
    """No line of a document has more than 120 columns."""
    return textwrap.fill(text, 118) + "\n"


def totals(packages, records):
    """How many packages pass, and of which kinds."""
    by_package = defaultdict(list)
    for record in records:
        by_package[record["package"]].append(record)
    good = [packages[name] for name, some in by_package.items()
            if name in packages and state_of(some) == "passes"]
    kinds = {"C++ with exceptions": lambda p: {"cxx", "exceptions"} <= set(p.tags),
             "with assembly": lambda p: "asm" in p.tags,
             "libraries under Debian's own programs": lambda p: p.distro}
    return sentence(
        f"{counted(len(by_package), 'package')}, of which {len(good)} pass in each mode that was run: "
        + ", ".join(f"{sum(map(bool, map(test, good)))} {kind}" for kind, test in kinds.items())
        + ". The commit is that of the newest run.")


def section(packages, some):
    """One graupel-bolt's runs. It is as old as the first of them: the tree may have gone on."""
    first, last = min(some, key=lambda r: r["date"]), max(some, key=lambda r: r["date"])
    tests = sum(r["passed"] + len(r["failed"]) for r in some)
    return [f"## {last['date'][:10]}, commit {first['commit']}\n",
            f"{counted(len({r['package'] for r in some}), 'package')}, "
            f"{counted(len({(r['package'], r['config']) for r in some}), 'build')}, "
            f"{counted(len(some), 'run')} of suites, {tests} tests compared, "
            f"{sum(len(r['failed']) for r in some)} failed.\n",
            *rows(packages, some), "", *refusals(some), "", *failures(some), ""]


def markdown(packages, records):
    """The page: each package's state, then one table for each graupel-bolt, the newest
    first. The state has one record a package, configuration and mode, so what a newer
    run supersedes is gone."""
    records = list(records.values())
    builds = defaultdict(list)
    for record in records:
        builds[record["graupel"]].append(record)
    parts = [HEAD, "## Each package's newest state\n", totals(packages, records),
             *overview(packages, records), ""]
    missing = sorted(set(packages) - {r["package"] for r in records})
    if missing:
        parts += [sentence(f"Described, but not run for this page: {', '.join(missing)}.")]
    parts += [sentence("One section for each graupel-bolt that was used follows, the newest first. A run is in the "
                       "section of the graupel-bolt that made it; it goes when a newer one repeats it.")]
    for some in sorted(builds.values(), key=lambda some: max(r["date"] for r in some),
                       reverse=True):
        parts += section(packages, some)
    return "\n".join([*parts, NOTES.read_text(encoding="utf-8")])
