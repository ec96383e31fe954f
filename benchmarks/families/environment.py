# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `environment`: do `learn`, `optimize` and `run` bring what the route by hand brings, and
what do they cost?

sqlite  one image, started directly
feed    a shell script, a program and four libraries, one of which it opens while it runs

By hand: each image is instrumented, put in place, run, optimized by its counts, put in place.
All ways have folders with equally long names, and each its copy (A/A).
"""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from bench import counts, execute
from bench.cache import checked, digest_of, need_tool
from bench.errors import BenchError, OutputMismatch
from bench.optimizer import Optimizer
from bench.table import grid
from families.choice import chosen_names
from families.environment_starts import Starts
from families.pairs import Pairs, interleaved
from programs.feed import Feed
from programs.sqlite import Sqlite

ABOUT = "learn, optimize and run against the route by hand; what a start costs"
WITHOUT_OPTIMIZER = True
PROGRAMS = ["sqlite", "feed"]
QUICK = PROGRAMS
CLASSES = {"sqlite": Sqlite, "feed": Feed}
BASELINE, BY_HAND, OURS = "baseline", "by hand", "environment"
ROUNDS, QUICK_ROUNDS = 12, 5
BOUND = 1.01


@dataclass
class Way:
    """An application in a folder of its own, and what starts it there."""
    folder: Path
    before: list = field(default_factory=list)
    counts: object = None


class Application:
    """One program in all ways."""

    def __init__(self, program, graupel, context):
        self.program, self.graupel = program, graupel
        self.optimizer = Optimizer(graupel.parent / "graupel-bolt")
        self.cache, self.progress = context.cache, context.progress
        self.images = getattr(program, "images", (program.name,))
        self.start = getattr(program, "start", program.name)
        self.root = self.cache.fresh_dir("environment", program.name)
        self.scratch = self.root / "run" / "scratch"
        self.state = f"XDG_STATE_HOME={self.root / 'state'}"

    def prepare(self):
        original = self.program.baseline().parent
        self.program.inputs()
        # Equally long names, so that no way's stack or loader has more to do.
        self.ways = {name: Way(self.root / folder) for name, folder in (
            (BASELINE, "asis"), (f"{BASELINE} again", "copy"), (BY_HAND, "hand"),
            (f"{BY_HAND} again", "same"), (OURS, "envi"))}
        for way in self.ways.values():
            for file in {self.start, *self.images}:
                (way.folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(original / file, way.folder / file)
        forget = ["env", "-u", "XDG_STATE_HOME"]
        for way in self.ways.values():
            way.before = ["env", self.state, *forget]
        self.ways[OURS].before = [*self.command("run", "--"), *forget]
        self.expected = self.output(BASELINE, "count")
        self.optimize_by_hand()
        self.optimize_by_environment()
        for name in self.ways:
            self.same(self.output(name, "count"), self.expected, name)

    def command(self, *words):
        return ["env", self.state, self.graupel, *words]

    def output(self, name, kind, before=()):
        way = self.ways[name]
        return self.program.run(way.folder / self.start, kind, self.scratch,
                                before or way.before).output

    def same(self, found, expected, name):
        if found != expected:
            raise OutputMismatch(f"{self.program.name}: {name} computes something else")

    def ours(self):
        return self.ways[OURS]

    def by_hand(self):
        return self.ways[BY_HAND]

    def optimize_by_hand(self):
        self.progress.step(f"{self.program.name}: by hand")
        plain, hand = self.ways[BASELINE].folder, self.ways[BY_HAND].folder
        profiles = {image: self.root / f"counts{n}" for n, image in enumerate(self.images)}
        for image, profile in profiles.items():
            self.optimizer.optimize(plain / image, hand / image,
                                    ["-instrument", f"-instrumentation-file={profile}"],
                                    f"instrumenting {image}")
        self.same(self.output(BY_HAND, "train"), self.output(BASELINE, "train"), "instrumented")
        for image, profile in profiles.items():
            self.optimizer.optimize(plain / image, hand / image, [f"-data={profile}"],
                                    f"optimizing {image}")
            shutil.copy2(hand / image, self.ways[f"{BY_HAND} again"].folder / image)

    def optimize_by_environment(self):
        self.progress.step(f"{self.program.name}: learn and optimize")
        self.output(OURS, "train", self.command("learn", "--"))
        execute.run(self.command("optimize", Path(self.start).name), self.root / "run",
                    what="graupel optimize")

    def same_code(self):
        """How many images have the very code that they have by hand, and of how many."""
        found = 0
        for image in self.images:
            theirs, ours = self.root / "run" / "theirs", self.root / "run" / "ours"
            dump = [need_tool("objcopy", "binutils"), "-O", "binary", "-j", ".text"]
            checked([*dump, self.ways[BY_HAND].folder / image, theirs], what="objcopy")
            way = self.ways[OURS]
            checked([*way.before, *dump, way.folder / image, ours], what="objcopy in `graupel run`")
            found += digest_of(theirs) == digest_of(ours) and theirs.stat().st_size > 0
        return found, len(self.images)

    def count(self):
        for name, way in self.ways.items():
            if not name.endswith("again"):
                self.progress.step(f"{self.program.name}: counting ({name})")
                result, way.counts = counts.measure(self.program, way.folder / self.start, "count",
                                                    self.scratch, before=way.before)
                self.same(result.output, self.expected, name)

    def time(self, kind, rounds):
        self.progress.step(f"{self.program.name}: {rounds}+1 timed rounds")

        def once(name):
            way = self.ways[name]
            result = self.program.run(way.folder / self.start, kind, self.scratch, way.before)
            return result.user_time + result.system_time, result.output

        found = interleaved(rounds, {n: lambda n=n: once(n) for n in self.ways})
        for one in found:
            for name, (_, output) in one.items():
                self.same(output, found[0][BASELINE][1], name)
        return {name: [one[name][0] for one in found] for name in self.ways}

    def compare(self, pairs, times):
        """Rows: ours to both peers, by hand to the baseline, and the controls."""
        name = self.program.name
        for who, peer in ((OURS, BY_HAND), (OURS, BASELINE), (BY_HAND, BASELINE)):
            column = "" if who == OURS else f"[{who}]"
            for metric in ("instructions", "icache_misses"):
                pairs.exact(name, metric + column, "count", getattr(self.ways[who].counts, metric),
                            peer, getattr(self.ways[peer].counts, metric))
            if times:
                pairs.pair(name, "cpu_time" + column, "s", times[who], peer, times[peer])
                # Other work on the machine makes runs longer, nothing makes them shorter.
                pairs.once(name, "least cpu_time" + column, "s", min(times[who]), peer,
                           min(times[peer]))
        for peer in (BASELINE, BY_HAND) if times else ():
            again = times[f"{peer} again"]
            pairs.sampled(name, "cpu_time[A/A]", "s", again, peer, times[peer])
            pairs.once(name, "least cpu_time[A/A]", "s", min(again), peer, min(times[peer]))


def verdicts(rows, code):
    """A line for each program and figure: ours to the one by hand, with the controls."""
    body = []
    for row in rows:
        if row.peer != BY_HAND or row.metric.endswith("[A/A]"):
            continue
        control = [r.ratio for r in rows if r.program == row.program and r.peer == BY_HAND
                   and r.metric == f"{row.metric}[A/A]"]
        gain = next(r.ratio for r in rows if (r.program, r.metric, r.peer)
                    == (row.program, row.metric, BASELINE))
        body.append((row.program, row.metric, f"{gain:.4f}", f"{row.ratio:.4f}",
                     f"{control[0]:.4f}" if control else "exact",
                     "holds" if row.ratio <= BOUND else "missed"))
    body += [(name, "images of the same code", "", f"{same} of {all_}", "exact",
              "holds" if same == all_ else "missed") for name, (same, all_) in code.items()]
    header = ("program", "figure", "to the baseline", "to the route by hand", "A/A", "")
    return "\n".join(grid(header, body, "llrrrl"))


def measure(options, context):
    """All rows of the family; with --counts-only nothing that depends on the machine's load."""
    names = chosen_names(options, "environment", PROGRAMS, QUICK)
    graupel = options.build.resolve() / "bin" / "graupel"
    if not graupel.exists():
        raise BenchError(f"{graupel} does not exist; build Graupel first, or name another build "
                         "folder (--build)")
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    pairs, code = Pairs("environment"), {}
    for name in names:
        application = Application(CLASSES[name](context.cache, context.sources, context.progress),
                                  graupel, context)
        application.prepare()
        code[name] = application.same_code()
        application.count()
        # Not the shorter input: the start, which has a figure of its own, would show.
        times = {} if options.counts_only else application.time("reference", rounds)
        application.compare(pairs, times)
        if not options.counts_only:
            context.report.append(Starts(application, context).measure(pairs, rounds))
    context.report.insert(0, verdicts(pairs.rows, code))
    return pairs.rows, pairs.combined()
