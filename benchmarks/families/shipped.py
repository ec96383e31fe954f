# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `shipped`: what does graupel-bolt bring to programs as Debian installs them?

They are stripped and have no relocations. Columns: the files as installed, copies of them
(A/A), llvm-bolt's with all flags that it takes for such files, and our default. All optimizers
have the same counts. One copy of all files of a program is in a folder where the loader looks
first.
"""

import shutil
from pathlib import Path

from bench import table
from bench.cache import digest_of
from bench.errors import BenchError, OutputMismatch
from bench.optimizer import fixed_addresses
from families import variants
from families.experiment import Experiment, Subject, combined_times
import programs
from programs import shipped

ABOUT = "stripped files without relocations, as Debian installs them, clang among them"
PROGRAMS = list(shipped.registry())
QUICK_PROGRAMS = ["perl", "bash"]
ROUNDS, QUICK_ROUNDS = 15, 4

# Of variants.LLVM_BOLT_FLAGS what llvm-bolt takes without relocations.
PEER_FLAGS = ["--allow-stripped", "-reorder-blocks=ext-tsp", "-split-functions", "-split-all-cold",
              "-plt=hot", "-peepholes=all", "-use-gnu-stack"]


class Files(Subject):
    """A variant of all files of a program."""

    @property
    def size(self):
        return sum(f.stat().st_size for f in self.binary.parent.iterdir())


class ShippedExperiment(Experiment):
    """Several files, each with a profile of its own."""

    def prepare(self):
        self.program.inputs()
        self.originals = [Path(f).resolve() for f in self.program.files]
        self.program.baseline()
        self.cache.fresh_dir("variants", self.program.name)
        for index, variant in enumerate(self.variants):
            folder = self.cache.dir("variants", self.program.name, f"v{index:02d}")
            for file, original in zip(self.program.files, self.originals):
                shutil.copy2(original, folder / file.name)
            self.subjects[variant.name] = Files(variant, folder / self.program.files[0].name)
        self.expected = self._digest(self.subjects[variants.BASELINE])
        self.profiles = self._profiles()
        for subject in self._optimized():
            if subject.variant.tool != "peer":
                self._make(subject)
            elif not self._make_peer(subject):
                del self.subjects[subject.variant.name]

    def _make_peer(self, subject):
        """Whether the peer makes something that works, if need be with a flag less."""
        why = []
        for without in ((), ("-plt=hot",)):
            flags = [f for f in subject.variant.flags if f not in without]
            try:
                self.progress.step(f"{self.program.name}: optimizing ({subject.variant.name})")
                self._attempt(subject, flags)
            except BenchError as error:
                why.append(str(error).splitlines()[-1].strip())
                continue
            if why:
                self.note(f"llvm-bolt without {' '.join(without)}: {why[0]}")
            subject.flags = flags
            return True
        self.note("no column for llvm-bolt: " + "; without -plt=hot: ".join(why))
        return False

    def _profiles(self):
        """Counts of the training run, a file of fdata for each file."""
        name, tool = self.program.name, self.tools["ours"]
        places = [self.cache.dir("profiles") / f"shipped-{name}-{f.name}.fdata" for f in self.program.files]
        commands = [[str(a) for a in c] for c in self.program.commands("train")]

        def make():
            work = self.cache.fresh_dir("work", f"shipped-{name}")
            folder = work / "bin"
            baseline = self.subjects[variants.BASELINE].binary
            for number, file in enumerate(self.program.files):
                tool.optimize(self.originals[number], folder / file.name,
                              ["-instrument", f"-instrumentation-file={work / str(number)}"],
                              f"instrumenting {file}")
            self.progress.step(f"training run of {name}")
            expected = self.program.run(baseline, "train", self.scratch).output
            counted = self.program.run(folder / baseline.name, "train", self.scratch, fixed_addresses())
            if counted.output != expected:
                raise OutputMismatch(f"{name}: the instrumented program computes something else")
            for number, place in enumerate(places):
                tool.export(work / str(number), place)
            shutil.rmtree(work)

        key = digest_of(tool.key, self.program.recipe_key(), commands)
        self.cache.once(f"profile-shipped-{name}", key, places, make, f"profiling {name}")
        return places

    def _optimize(self, subject, flags):
        costs = []
        for file, original, profile in zip(self.program.files, self.originals, self.profiles):
            costs.append(self.tools[subject.variant.tool].optimize(
                original, subject.binary.parent / file.name, [f"-data={profile}", *flags],
                f"{subject.variant.tool} optimizer on {file} ({subject.variant.name})"))
        subject.optimizer_times.append(sum(c.wall_time for c in costs))
        subject.optimizer_memory.append(max(c.peak_memory for c in costs))


def published(rows):
    """Times, counts, and what the optimizers cost: ratios to the files as installed."""
    names = list(dict.fromkeys(r.program for r in rows))
    found = {(r.program, r.metric, r.peer): r for r in rows}

    def lines(*columns):
        return [[n, *(table.ratio(found.get((n, *c))) for c in columns)] for n in names]

    base, peer = variants.BASELINE, variants.LLVM_BOLT
    tables = []
    if any(r.metric == "user_time" for r in rows):
        tables.append("\n".join(table.grid(
            ("user time", "A/A", "llvm-bolt", "Graupel", "Graupel / llvm-bolt"),
            lines(("user_time", variants.CONTROL), (f"user_time[{peer}]", base), ("user_time", base),
                  ("user_time", peer)), "lrrrr")))
    tables.append("\n".join(table.grid(
        ("", "instructions: llvm-bolt", "Graupel", "I-cache misses: llvm-bolt", "Graupel"),
        lines((f"instructions[{peer}]", base), ("instructions", base),
              (f"icache_misses[{peer}]", base), ("icache_misses", base)), "lrrrr")))
    cost = []
    for name in names:
        size = found[name, "output_size", base]
        pairs = [(found.get((name, metric, peer)), scale)
                 for metric, scale in (("optimizer_time", 1), ("optimizer_peak_memory", 1e6))]
        cost.append([name, f"{size.peer_value / 1e6:.1f} MB", f"{size.ratio:.3f}",
                     *(f"{value / scale:.1f}" if value else "" for row, scale in pairs
                       for value in ((row.value, row.peer_value) if row else (None, None)))])
    tables.append("\n".join(table.grid(
        ("", "files", "size", "seconds", "llvm-bolt", "GB", "llvm-bolt"), cost, "lrrrrrr")))
    return tables


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    columns = [*variants.peers()[:2], variants.Variant(variants.LLVM_BOLT, "peer", PEER_FLAGS),
               variants.Variant(variants.OURS, "ours", PEER_FLAGS if stand_in else [])]
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    rows, experiments = [], []
    for cls in programs.select(options.programs, QUICK_PROGRAMS if options.quick else PROGRAMS,
                               shipped.registry()):
        if missing := cls.missing():
            context.notes.append(f"{cls.name} left out: {', '.join(missing)}: not installed")
            continue
        experiment = ShippedExperiment(cls(context.cache, context.sources, context.progress), columns,
                                       context.tools, context.cache, context.progress)
        experiment.prepare()
        if not options.counts_only:
            experiment.time("quick" if options.quick else "reference", rounds)
        experiment.count()
        rows += experiment.rows("shipped")
        experiments.append(experiment)
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    context.report += published(rows)
    return rows, combined_times(experiments)
