# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Benchmark families: each answers one question and yields rows."""


def registry():
    """Families by name; a family offers ABOUT, add_arguments(parser) and measure(options)."""
    from families import (accuracy, ci, cost, demo, dsm, environment, hco, instrument, layout,
                          never_slower, numa, persistence, shipped, stride, threads)
    return {"layout": layout, "hco": hco, "cost": cost, "instrument": instrument, "accuracy": accuracy,
            "persistence": persistence, "threads": threads, "dsm": dsm, "stride": stride,
            "numa": numa, "environment": environment, "ci": ci, "demo": demo,
            "never-slower": never_slower, "shipped": shipped}
