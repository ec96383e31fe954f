# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which of its programs a family runs."""

from bench.errors import BenchError


def chosen_names(options, family, programs, quick):
    """The names given with --programs, or the family's own for --quick and for all."""
    names = options.programs or (quick if options.quick else programs)
    for name in names:
        if name not in programs:
            raise BenchError(f"family {family} has the programs {', '.join(programs)}; not '{name}'")
    return names
