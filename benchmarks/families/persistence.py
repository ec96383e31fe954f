# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `persistence`: what a profile is worth after the program was built again.

The profile of the old build is matched to the new one by us and by llvm-bolt's stale matching
(both in graupel-bolt, so that everything else is the same), and compared with a profile of the
new build that was recorded with the same training input.

`survival`: the share of the executed instructions that the matched profile has in the same
blocks as the fresh one. `survival[edges]`: the same of branches. `kept[...]`: what is left of
the gain of the fresh profile with the matched one, simulated: in cycles of a simple model, in
taken jumps and in I-cache misses. The inputs are the one of the training and another; each
weighs the same. The fresh profile is used twice, read by us and by llvm-bolt, on the same file;
the better one is what can be kept, and the difference tells what is chance: where the gain is
less than twice that or than LEAST_GAIN, there is no row.
"""

import re

from bench import boltyaml, callgrind, execute
from bench.errors import BenchError, OutputMismatch
from bench.rows import Row
from bench.table import grid
from families.choice import chosen_names
from families.persistence_pairs import PAIRS, builds, functions

ABOUT = "profiles of older builds: how much of them can be used, ours and llvm-bolt's"
PROGRAMS = [pair.name for pair in PAIRS]

COLUMNS = ("base", "fresh", "fresh by llvm-bolt", "ours", "bolt")
KINDS = ("train", "count")
# Cycles: four instructions in one, a bubble behind each taken jump, a line from the second-level
# cache, an entry from the second-level TLB.
CYCLES = {"instructions": 0.25, "jumps": 1, "icache_misses": 12, "itlb_misses": 7}
METRICS = {"cycles": lambda f: sum(cost * getattr(f, name) for name, cost in CYCLES.items()),
           "jumps": lambda f: f.jumps, "misses": lambda f: f.icache_misses}
# Of the original's.
LEAST_GAIN = {"cycles": 0.005, "jumps": 0.02, "misses": 0.02}

STALE = ["-infer-stale-profile", "-match-profile-with-function-hash"]
# Without names the call graph cannot be used either: both ways of llvm-bolt are tried.
STALE_MORE = [*STALE, "-match-with-call-graph", "-name-similarity-function-matching-threshold=10"]


class Experiment:
    """One pair."""

    def __init__(self, pair, context):
        self.pair, self.context = pair, context
        self.tool = context.tools["ours"]
        self.old, self.new = builds(pair, context)
        self.work = context.cache.fresh_dir("work", "persistence", pair.name.replace(" ", ""))
        self.stripped = ["-allow-stripped"] if pair.change == "stripped" else []

    def record(self, build, which):
        """Our profile of the training run."""
        instrumented, raw = self.work / which / build.program.name, self.work / f"{which}.gprofile"
        self.tool.optimize(build.named, instrumented,
                           ["-instrument", f"-instrumentation-file={raw}"],
                           f"instrumenting {self.pair.name}")
        build.program.run(instrumented, "train", self.work / "scratch")
        return raw

    def yaml(self, build, raw, name):
        path = self.work / name
        execute.run([self.tool.path, "export", raw, f"-yaml-for={build.named}", "-o", path],
                    self.work, what=f"exporting the profile of {self.pair.name}")
        return path

    def optimize(self, file, name, flags):
        """(executable, counts of its profile)"""
        output, yaml = self.work / name / self.new.file.name, self.work / f"{name}.yaml"
        self.tool.optimize(file, output, [*flags, f"-w={yaml}"], f"{self.pair.name}, {name}")
        return output, self.with_names(boltyaml.read(yaml), file)

    def with_names(self, profile, file):
        """BOLT names functions without names by their addresses."""
        if file == self.new.plain:
            return profile
        names = functions(self.new.named)
        known = {name for name, _ in self.fresh.blocks}
        table = {}
        for name in {block[0] for block in profile.blocks}:
            match = re.search(r"FUNCat0?x?([0-9a-f]+)", name)
            if not match:
                continue
            for real in names.get(int(match.group(1), 16), []):
                for full in (real, f"{real}/1"):
                    if full in known:
                        table[name] = full
        return profile.renamed(table)

    def run(self):
        old_raw = self.record(self.old, "old")
        new_raw = self.record(self.new, "new")
        old_yaml = self.yaml(self.old, old_raw, "old.yaml")
        self.fresh = boltyaml.read(self.yaml(self.new, new_raw, "new.yaml"))
        file, more = self.new.file, self.stripped
        self.files = {"fresh": self.optimize(self.new.plain, "fresh", [f"-data={new_raw}"])[0]}
        self.files["fresh by llvm-bolt"] = self.optimize(
            self.new.plain, "fresh-bolt", [f"-data={self.work / 'new.yaml'}"])[0]
        self.profiles = {}
        self.files["ours"], self.profiles["ours"] = self.optimize(
            file, "ours", [f"-data={old_raw}", "-ignore-build-id", *more])
        self.best_of_bolt(file, old_yaml, more)

    def best_of_bolt(self, file, old_yaml, more):
        """llvm-bolt's matching with the options that serve this pair best."""
        best = -1.0
        for name, flags in (("bolt", STALE), ("bolt-more", STALE_MORE)):
            try:
                output, profile = self.optimize(file, name, [f"-data={old_yaml}", *flags, *more])
            except BenchError as error:
                # It refuses profiles that name nothing.
                if "names no function" not in str(error):
                    raise
                continue
            if (share := self.survival(profile)) > best:
                best = share
                self.files["bolt"], self.profiles["bolt"] = output, profile
        if best < 0:
            self.files["bolt"], self.profiles["bolt"] = self.new.file, boltyaml.Counts()

    def survival(self, profile):
        sizes = self.fresh.sizes
        return boltyaml.overlap(profile.executed(sizes), self.fresh.executed(sizes))

    def edges(self, profile):
        return boltyaml.overlap(profile.edges, self.fresh.edges)

    def simulate(self):
        """{column: {metric: its sum over the inputs, a thousand instructions of the original}}"""
        program = self.new.program
        result = {column: dict.fromkeys(METRICS, 0.0) for column in COLUMNS}
        for kind in KINDS:
            base = expected = None
            for name, file in {"base": self.new.named, **self.files}.items():
                self.context.progress.step(f"simulating {self.pair.name}, {kind}, {name}")
                got, fetched = callgrind.fetching(program, file, kind,
                                                  self.work / "run" / "scratch")
                base, expected = base or fetched, expected or got.output
                if got.output != expected:
                    raise OutputMismatch(f"{self.pair.name}, {name}: computes something else")
                for metric, of in METRICS.items():
                    result[name][metric] += 1000 * of(fetched) / base.instructions / len(KINDS)
        return result


def kept(simulated, column, metric):
    """The share of the gain of a fresh profile, more than 1 by chance only; nothing if that gain
    may be chance itself."""
    base, *fresh = (simulated[c][metric] for c in COLUMNS[:3])
    gain = base - min(fresh)
    if gain < max(LEAST_GAIN[metric] * base, 2 * abs(fresh[0] - fresh[1])):
        return None
    return max(0.0, (base - simulated[column][metric]) / gain)


def row(pair, metric, value, peer):
    floor = 0.01        # where llvm-bolt keeps nothing, a ratio would say nothing
    ratio = max(value, floor) / max(peer, floor)
    return Row("persistence", pair.name, metric, "share", value, "llvm-bolt", peer, ratio, ratio,
               ratio)


def measure(options, context):
    """All rows of the family; ratios above 1 are better here. --quick leaves the simulation out."""
    rows, table = [], []
    for name in chosen_names(options, "persistence", PROGRAMS, PROGRAMS):
        pair = next(p for p in PAIRS if p.name == name)
        experiment = Experiment(pair, context)
        experiment.run()
        ours, bolt = experiment.profiles["ours"], experiment.profiles["bolt"]
        rows.append(row(pair, "survival", experiment.survival(ours), experiment.survival(bolt)))
        rows.append(row(pair, "survival[edges]", experiment.edges(ours), experiment.edges(bolt)))
        if options.quick or not experiment.new.program.repeatable:
            continue
        simulated = experiment.simulate()
        for metric in METRICS:
            mine, peers = (kept(simulated, c, metric) for c in ("ours", "bolt"))
            if mine is not None:
                # Nothing better than the truth can be kept.
                rows.append(row(pair, f"kept[{metric}]", min(1.0, mine), min(1.0, peers)))
            table.append([pair.name, metric,
                          *(f"{simulated[c][metric]:.3f}" for c in COLUMNS),
                          *("-" if k is None else f"{100 * k:.1f} %" for k in (mine, peers))])
    if table:
        header = ["pair", "per 1000 instructions", *COLUMNS, "ours keeps", "llvm-bolt keeps"]
        context.report.append("\n".join(grid(header, table, "ll" + "r" * (len(COLUMNS) + 2))))
    return rows, {}
