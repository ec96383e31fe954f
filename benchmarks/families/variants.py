# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The columns of a layout benchmark: who optimizes the program, and with which flags."""

from dataclasses import dataclass, field
from pathlib import Path

PEER = Path("/usr/bin/llvm-bolt-22")

# llvm-bolt's best flags, chosen by measurement (llvm-bolt 22.1.8; cachegrind on the `count`
# inputs, ratios to the unoptimized program; I1 = simulated I-cache misses):
#
#                                        sqlite          lua             perl
#                                        instr.   I1     instr.   I1     instr.   I1
#   the first three flags                0.983  0.421    0.993  0.473    0.990  0.365
#   + the next seven                     0.980  0.379    0.992  0.635    0.988  0.291
#   + -split-strategy=cdsplit            0.979  0.378    0.992  0.639    0.989  0.237
#   + -inline-small-functions (all)      0.979  0.382    0.993  0.500    0.989  0.273
#
# The last line comes from complete runs with a profile collected by graupel-bolt, the others
# used one collected by llvm-bolt: I1 of these small programs moves by several percent for
# such reasons, so no single cell decides. User time on sqlite, 14 rounds on a busy machine:
# 0.912, 0.920, 0.924, 0.901, intervals about +-0.02, hence not distinguishable. -plt=hot and
# -split-all-cold help sqlite; -use-gnu-stack saves 2 MB of output; -icf, -split-eh and
# -jump-tables=move changed nothing measurable and cost nothing. Left out: -frame-opt=hot (no
# effect on sqlite, zstd, perl), -reg-reassign (misses up or down without pattern),
# -inline-memcpy (+2 % instructions on sqlite), -indirect-call-promotion=all (+0.4 % there),
# -align-blocks, -simplify-rodata-loads and hfsort+ (no consistent gain).
#
# Mind -split-strategy=cdsplit when reading optimizer_time: on minicc (quiet machine, one run
# each) llvm-bolt took 87 s with it and 31 s without, for 0.7 % fewer I-cache misses.
LLVM_BOLT_FLAGS = [
    "-reorder-blocks=ext-tsp",
    "-reorder-functions=cdsort",
    "-split-functions",
    "-split-all-cold",
    "-split-eh",
    "-icf=safe",
    "-plt=hot",
    "-peepholes=all",
    "-jump-tables=move",
    "-use-gnu-stack",
    "-split-strategy=cdsplit",
    "-inline-small-functions",
]

# What shortens llvm-bolt's paths most, again by measurement: instructions of the `count` inputs,
# ratios to the unoptimized program. Lua's move by 0.1 % and Redis's by 0.2 % for no reason but the
# image's size, since they hash addresses.
#
#                                        sqlite   lua      perl     redis    troff    yaml
#   LLVM_BOLT_FLAGS                      0.9793   0.9931   0.9883   0.9863   0.9884   0.9714
#   + -frame-opt=all                     0.9793   0.9947   0.9883            0.9877   0.9714
#   + -icp=all                           0.9838   0.9966   0.9883            0.9967   0.9726
#   + -inline-memcpy                     1.0019   0.9940   0.9856            0.9897   0.9710
#   + -inline-all                        0.9754   0.9882   0.9874   0.9766   0.9829   0.9670
#     + -frame-opt=all                   0.9754   0.9895   0.9872   0.9784   0.9829   0.9670
#       + the next five                  0.9752   0.9879   0.9870   0.9791   0.9825   0.9669
#       + -icp=all                       0.9798   0.9948   0.9872   0.9820   0.9912   0.9683
#
# Promoted calls cost instructions: a comparison and a branch each, even if they can be inlined
# (-icp-inline: troff 0.9882). Without effect: -shrink-wrapping-threshold, -inline-max-iters,
# -sctc-mode, -reg-reassign, -frame-opt-rm-stores and -tail-duplication=moderate.
LLVM_BOLT_PATH_FLAGS = [
    *LLVM_BOLT_FLAGS,
    "-inline-all",
    "-frame-opt=all",               # includes shrink wrapping
    "-plt=all",
    "-simplify-rodata-loads",
    "-three-way-branch",
    "-tail-duplication=cache",
    "-cmov-conversion",
]

BASELINE = "baseline"
CONTROL = "A/A"
LLVM_BOLT = "llvm-bolt"
LLVM_BOLT_PATHS = "llvm-bolt-paths"
OURS = "graupel"
HCO = "hco"                       # our default
LAYOUT_ALONE = ["-hco=false"]


@dataclass
class Variant:
    """One way to make an executable out of the baseline."""
    name: str
    tool: str                       # "none", "peer" or "ours"
    flags: list = field(default_factory=list)

    def metric(self, base):
        """Row metric: the default layout has the plain name, others are named in brackets."""
        return base if self.name == OURS else f"{base}[{self.name}]"


def _spike(name, steps):
    return Variant(name, "ours", ["-layout=spike", f"-layout-steps={steps}"])


def peers():
    return [Variant(BASELINE, "none"), Variant(CONTROL, "none"),
            Variant(LLVM_BOLT, "peer", list(LLVM_BOLT_FLAGS))]


def ours(stand_in, components=True):
    """Our layouts, without hot-cold optimization. A stand-in (stock llvm-bolt) knows no -layout:
    it tests the harness only."""
    if stand_in:
        return [Variant(OURS, "ours", LLVM_BOLT_FLAGS[:3])]
    columns = [Variant(OURS, "ours", LAYOUT_ALONE), Variant("spike", "ours", ["-layout=spike"])]
    if components:
        columns += [_spike("chain", "chain"), _spike("place", "place"),
                    _spike("split+place", "split,place")]
    return columns


def hot_cold(stand_in):
    """The columns of hot-cold optimization: everything that shortens paths, and what does not."""
    return [*peers(), Variant(LLVM_BOLT_PATHS, "peer", list(LLVM_BOLT_PATH_FLAGS)),
            Variant(OURS, "ours", LLVM_BOLT_FLAGS[:3] if stand_in else LAYOUT_ALONE),
            default(stand_in)]


def default(stand_in):
    """What users get who give no option."""
    return Variant(HCO, "ours", [*LLVM_BOLT_FLAGS[:3], "-frame-opt=all"] if stand_in else [])


def is_stand_in(path):
    """Stock llvm-bolt under any of its names."""
    return Path(path).resolve().name.startswith("llvm-bolt")
