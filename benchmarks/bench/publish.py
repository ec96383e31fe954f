# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures in the documents: measured by one command, kept as JSON, and never typed.

docs/results/data/NAME.json holds the rows of one run with its command and the commit of
the build. A document shows them between two lines:

    <!-- published NAME -->
    <!-- end published -->

What stands between them is made from the JSON alone (`render`), so that anybody can
check that both agree (`faults`) and which figures are older than the code (`stale`).
"""

import json
import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from . import rows as result_rows
from . import table
from .errors import BenchError
from .stats import geometric_mean

DATA = Path("docs/results/data")
BLOCK = re.compile(r"(<!-- published (\S+) -->\n)(.*?)(<!-- end published -->)", re.DOTALL)


@dataclass
class Publication:
    """One run of a family."""
    name: str
    family: str
    command: str
    commit: str       # Of the build; with a + if the checkout had changes.
    date: str         # YYYY-MM-DD
    machine: str      # Its processor, as the kernel names it.
    rows: list

    def write(self, root):
        path = root / DATA / f"{self.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        what = asdict(self)
        path.write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")


def name_of(family, counts_only):
    return f"{family}-counts" if counts_only else family


def read(path):
    """A publication; BenchError if the file is none."""
    try:
        what = json.loads(path.read_text(encoding="utf-8"))
        what["rows"] = result_rows.checked(path, what["rows"])
        return Publication(**what)
    except (ValueError, TypeError, KeyError) as error:
        raise BenchError(f"{path}: no published figures: {error}") from error


def read_all(root):
    return {p.stem: read(p) for p in sorted((root / DATA).glob("*.json"))}


def git(root, *arguments):
    """What git says, or None."""
    try:
        result = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True,
                                check=False)
    except OSError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def commit_of(root):
    commit = git(root, "rev-parse", "--short=8", "HEAD")
    if commit is None:
        raise BenchError("figures are published from a git checkout, which says what build they "
                         "belong to")
    return commit + ("+" if git(root, "status", "--porcelain", "--untracked-files=no") else "")


def processor():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"


def ratios(rows):
    """Any family's rows: a line for each program, a column for each metric and peer."""
    columns = list(dict.fromkeys((r.metric, r.peer) for r in rows))
    found = {(r.program, r.metric, r.peer): r for r in rows}
    programs = dict.fromkeys(r.program for r in rows)
    body = [[p, *(table.ratio(found.get((p, *c))) for c in columns)] for p in programs]
    body.append(["geometric mean", *(
        f"{geometric_mean(r.ratio for r in rows if (r.metric, r.peer) == c):.4f}" for c in columns)])
    header = ["program", *(f"{metric} / {peer}" for metric, peer in columns)]
    return "\n".join(table.grid(header, body, "l" + "r" * len(columns)))


def render(publication, family):
    """What a document shows: the family's own tables if it has some."""
    make = getattr(family, "published", None)
    parts = make(publication.rows) if make else [ratios(publication.rows)]
    head = (f"Build {publication.commit}, {publication.date}, {publication.machine}:\n\n"
            f"    {publication.command}")
    return "\n\n".join([head, *parts]) + "\n"


def documents(root):
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def _blocks(root):
    """Yields each document with its text, if figures are published in it."""
    for path in documents(root):
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if BLOCK.search(text):
            yield path, text


def fill(root, families):
    """Writes what the JSON says into the documents; returns those that changed."""
    known, changed = read_all(root), []
    for path, text in _blocks(root):
        def fresh(match):
            publication = known.get(match[2])
            if publication is None:
                raise BenchError(f"{path}: no figures are published as {match[2]}; measure them "
                                 "with run.py FAMILY --publish")
            return match[1] + render(publication, families[publication.family]) + match[4]
        new = BLOCK.sub(fresh, text)
        if new != text:
            path.write_text(new, encoding="utf-8")
            changed.append(path)
    return changed


def faults(root, families):
    """Where documents and JSON disagree, in words."""
    known, found, shown = read_all(root), [], set()
    for path, text in _blocks(root):
        for match in BLOCK.finditer(text):
            shown.add(match[2])
            publication = known.get(match[2])
            where = f"{path.relative_to(root)}: published {match[2]}"
            if publication is None:
                found.append(f"{where}: {DATA}/{match[2]}.json is missing")
            elif match[3] != render(publication, families[publication.family]):
                found.append(f"{where} is not what {DATA}/{match[2]}.json says; run.py --fill "
                             "writes it anew")
    found += [f"{DATA}/{name}.json: no document shows it" for name in known if name not in shown]
    return found


def stale(root, families):
    """Which figures are older than the code that they are about, in words."""
    found = []
    for name, publication in read_all(root).items():
        code = getattr(families[publication.family], "CODE", ("bolt-plugins",))
        commit = publication.commit.rstrip("+")
        later = git(root, "rev-list", "--count", f"{commit}..HEAD", "--", *code)
        if later is None:
            found.append(f"{name}: commit {commit} is not in this checkout")
        elif later != "0":
            found.append(f"{name}: {later} later commits change {', '.join(code)}")
    return found
