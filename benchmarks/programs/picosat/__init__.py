# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PicoSAT: a solver whose time is in one small loop that walks lists of clauses; what counts there is
where the loop lies."""

import random

from bench.cache import checked, digest_of, need_tool
from programs.base import C_FLAGS, LINK_FLAGS, Program

# kind: (seeds, variables). Satisfiable or not is a coin's toss at this many clauses.
SIZES = {"train": ((1, 2, 3), 150), "reference": ((4, 5, 6, 7), 200), "quick": ((8, 9), 190),
         "count": ((10, 11), 120)}
CLAUSES_PER_VARIABLE = 4.26


def formula(seed, variables):
    """A random formula of three literals a clause, as DIMACS."""
    chance = random.Random(seed)
    clauses = int(variables * CLAUSES_PER_VARIABLE)
    lines = [f"p cnf {variables} {clauses}"]
    for _ in range(clauses):
        chosen = chance.sample(range(1, variables + 1), 3)
        lines.append(" ".join(str(v if chance.random() < 0.5 else -v) for v in chosen) + " 0")
    return "\n".join(lines) + "\n"


class Picosat(Program):
    name = "picosat"
    about = "PicoSAT solving random formulas"
    package = "picosat"
    keep_stdout = False     # It says how long it took.
    call_intensive = False

    def build(self, tree, work, target):
        checked(["cp", "-a", f"{tree}/.", work], what="copying picosat's source")
        (work / "config.h").write_text('#define PICOSAT_CC "gcc"\n#define PICOSAT_CFLAGS ""\n'
                                       '#define PICOSAT_VERSION "bench"\n')
        sources = [work / name for name in ("picosat.c", "app.c", "version.c")]
        sources.append(self.here / "driver.c")
        checked([need_tool("gcc", "gcc"), *C_FLAGS, "-DNDEBUG", "-DNZIP", "-w", *sources, "-o",
                 target, *LINK_FLAGS, "-lm"], cwd=work, what="compiling picosat")

    def recipe_key(self):
        return digest_of(super().recipe_key(), self.here / "driver.c")

    def _file(self, kind, seed):
        return self.cache.root / "data" / f"picosat-{kind}-{seed}.cnf"

    def inputs(self):
        self.cache.dir("data")
        for kind, (seeds, variables) in SIZES.items():
            for seed in seeds:
                path = self._file(kind, seed)
                self.cache.once(f"data-picosat-{kind}-{seed}",
                                digest_of(__file__, seed, variables), [path],
                                lambda p=path, s=seed, v=variables: p.write_text(formula(s, v)),
                                f"generating a formula ({kind})")

    def commands(self, kind):
        return [["-o", "answer", self._file(kind, seed)] for seed in SIZES[kind][0]]
