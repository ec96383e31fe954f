//===- ProfileMatch/CountTransfer.h - Counts for changed code ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_COUNTTRANSFER_H
#define GRAUPEL_PROFILEMATCH_COUNTTRANSFER_H

#include "BlockMatching.h"

namespace graupel {

/// The counts of \p New that follow from \p Counts of \p Old: those of matched
/// blocks and edges where they can be kept, and for the rest what changes them
/// least such that as much flows into each block as out of it.
FunctionCounts transferCounts(const ShapedFunction &Old,
                              const FunctionCounts &Counts,
                              const ShapedFunction &New,
                              const BlockMatches &Blocks);

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_COUNTTRANSFER_H
