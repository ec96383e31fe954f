# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all parts of the family `stride` share."""

from families.pairs import Pairs
from families.stride_build import Builder


class Session(Pairs):
    """Builds and runs; collects rows, and samples for means over programs."""

    def __init__(self, options, context):
        super().__init__("stride")
        self.options, self.context = options, context
        self.builder = Builder(options.build, context.cache, context.progress)
        self.scratch = context.cache.dir("stride", "run")

    def step(self, text):
        self.context.progress.step(text)
