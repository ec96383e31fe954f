# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What substitution costs: to start a command by `graupel run`, to start processes inside, to open
a library inside. Each is compared with the same outside, and that with itself (A/A)."""

from pathlib import Path

from bench import execute
from bench.cache import checked, digest_of, need_tool
from bench.stats import median
from bench.table import grid
from families.pairs import interleaved

SOURCE = Path(__file__).resolve().parent.parent / "environment" / "spawn.c"
STARTS = 40
PROGRAM = "/bin/true"
BOUND_MS = 15
PEER = "without graupel"


class Starts:
    """The versions of one application are in place."""

    def __init__(self, application, context):
        self.application = application
        self.spawn = context.cache.dir("environment-tools") / "spawn"
        context.cache.once("environment-spawn", digest_of(SOURCE), [self.spawn], lambda: checked(
            [need_tool("gcc", "gcc"), "-O2", SOURCE, "-o", self.spawn], what="building spawn.c"))
        context.progress.step(f"{application.program.name}: starting processes")

    def run(self, before, *arguments):
        """The medians of one series: microseconds, and those of processor time."""
        work = self.application.root / "run"
        out = work / "spawned"
        out.unlink(missing_ok=True)
        execute.run([*before, self.spawn, STARTS, *arguments], work, out, what="spawn")
        lines = [line.split() for line in out.read_text().splitlines()]
        return [median([float(line[column]) for line in lines]) for column in (0, 1)]

    def subjects(self):
        """{figure: (ours, peer)}, each the arguments of run()."""
        # By hand the same images are opened, which need not be the originals' size.
        ours, peer = self.application.ours(), self.application.by_hand()
        found = {"start": (([], *self.application.command("run", "--"), PROGRAM),
                           ([], "env", self.application.state, PROGRAM)),
                 "process inside": ((ours.before, PROGRAM), (peer.before, PROGRAM))}
        if len(self.application.images) > 1:
            library = self.application.images[-1]
            found["dlopen inside"] = ((ours.before, "--open", ours.folder / library),
                                      (peer.before, "--open", peer.folder / library))
        return found

    def measure(self, pairs, rounds):
        """Adds rows, and returns the table of verdicts."""
        body, name = [], self.application.program.name
        for figure, (ours, peer) in self.subjects().items():
            found = interleaved(rounds, {"ours": lambda o=ours: self.run(*o),
                                         "peer": lambda p=peer: self.run(*p),
                                         "again": lambda p=peer: self.run(*p)})
            for column, what in enumerate(("", ", processor time")):
                mine, theirs, again = ([one[who][column] for one in found]
                                       for who in ("ours", "peer", "again"))
                pairs.sampled(name, figure + what, "us", mine, PEER, theirs)
                pairs.sampled(name, f"{figure}{what}[A/A]", "us", again, PEER, theirs)
                body.append(self.verdict(figure, what, mine, theirs, again))
        header = ("figure", "with", "without", "again (A/A)", "difference", "")
        return f"{name}\n\n" + "\n".join(grid(header, body, "lrrrrl"))

    @staticmethod
    def verdict(figure, what, mine, theirs, again):
        """Differences are the medians of the rounds'."""
        extra = median([a - b for a, b in zip(mine, theirs)])
        noise = sorted(abs(a - b) for a, b in zip(again, theirs))
        bound = 1000 * BOUND_MS if figure == "start" else noise[int(0.9 * (len(noise) - 1))]
        return (figure + what, *(f"{median(v):.0f} us" for v in (mine, theirs, again)),
                f"{extra:+.0f} us", "holds" if extra <= bound else "missed")
