# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Family `hco`: does hot-cold optimization take instructions off the executed path?

Columns: the baseline, its copy (A/A control), llvm-bolt with the flags of family `layout`,
llvm-bolt with all that shortens its paths, ours without and with hot-cold optimization.
Instructions are counted for the input that the profile is from and for another one: a path
that was never taken in training costs more than before, and the other input shows how much.
"""

from bench import image
from bench.rows import exact
from families import hco_report, variants
from families.experiment import Experiment, combined_times
import programs

CODE = ("bolt-plugins/HotCold", "bolt-plugins/Options/RecommendedOptions.cpp")
ABOUT = "hot-cold optimization: path length, time and growth, without and with it"
PROGRAMS = ["sqlite", "lua", "zstd", "perl", "redis", "duktape", "tcc", "leveldb", "troff", "yaml"]
QUICK_PROGRAMS = ["sqlite", "lua", "troff"]
ROUNDS, QUICK_ROUNDS = 15, 6
PEERS = (variants.BASELINE, variants.LLVM_BOLT_PATHS, variants.OURS)
REPORT_OPTION = "hco-report"


class HotColdExperiment(Experiment):
    """Adds the training input, the code's size and what the optimizer says of its procedures."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords, peers=PEERS)
        self.reports = self.tools["ours"].knows(REPORT_OPTION)

    def _report_of(self, subject):
        return subject.binary.with_name("hco.json")

    def _optimize(self, subject, flags):
        if self.reports and subject.variant.name == variants.HCO:
            flags = [*flags, f"-{REPORT_OPTION}=json",
                     f"-{REPORT_OPTION}-file={self._report_of(subject)}"]
        super()._optimize(subject, flags)

    def compare(self, benchmark, subject, peer):
        rows = super().compare(benchmark, subject, peer)
        if subject.training:
            rows.append(self.counted_row(benchmark, "training_instructions", subject,
                                         subject.training.instructions, peer,
                                         peer.training.instructions))
        rows.append(exact(benchmark, self.program.name, subject.variant.metric("code_size"),
                          image.code_size(subject.binary), peer.variant.name,
                          image.code_size(peer.binary)))
        if subject.variant.name == variants.HCO and peer.variant.name == variants.OURS:
            rows += self._procedures(benchmark, subject, peer)
        return rows

    def _procedures(self, benchmark, subject, peer):
        growth = hco_report.growth_of(self._report_of(subject))
        if growth is None:
            return []
        return [exact(benchmark, self.program.name, subject.variant.metric("procedure_size"),
                      growth.after, peer.variant.name, growth.before)]


def published(rows):
    """The tables of the documents."""
    known = programs.registry()
    names = dict.fromkeys(row.program for row in rows)
    return hco_report.markdown(rows, [n for n in names if known[n].call_intensive])


def measure(options, context):
    """All rows of the family; see run.py for the options."""
    stand_in = variants.is_stand_in(context.tools["ours"].path)
    columns = variants.hot_cold(stand_in)
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    rows, experiments = [], []
    for cls in programs.select(options.programs, QUICK_PROGRAMS if options.quick else PROGRAMS):
        program = cls(context.cache, context.sources, context.progress)
        experiment = HotColdExperiment(program, columns, context.tools, context.cache,
                                       context.progress)
        experiment.prepare()
        if not options.counts_only:
            experiment.time("quick" if options.quick else "reference", rounds)
            experiment.time_optimizers()
        experiment.count()
        experiment.count_training()
        rows += experiment.rows("hco")
        experiments.append(experiment)
        context.notes += experiment.notes
        if not options.keep:
            experiment.discard()
    if options.counts_only:
        rows = [r for r in rows if not r.metric.startswith(("user_time", "optimizer_time"))]
    context.report += published(rows)
    return rows, combined_times(experiments)
