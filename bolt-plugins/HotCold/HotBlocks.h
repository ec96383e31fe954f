//===- HotCold/HotBlocks.h - Which blocks a hot version gets ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_HOTBLOCKS_H
#define GRAUPEL_HOTCOLD_HOTBLOCKS_H

#include "FlowPrediction.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/BitVector.h"

namespace graupel {

/// The flow in \p BF, by its profile. Entries from outside are at least one.
std::vector<FlowBlock> describeFlow(const llvm::bolt::BinaryFunction &BF);

/// Sets of blocks of which \p BF could have a hot version, each one different,
/// with a bit for each block. All begin with the entry, and all their blocks
/// can be reached from it through others. Blocks are frequent above \p
/// Threshold; those in \p Excluded cannot be copied.
///
/// The first ones are those of Cohn, Goodwin, Lowney 1997: all frequent blocks,
/// or fewer. The others are the paths through the function without calls,
/// however frequent the rest: a stub costs little, and such paths often need no
/// frame.
std::vector<llvm::BitVector>
candidateHotBlocks(const llvm::bolt::BinaryFunction &BF, uint64_t Threshold,
                   const llvm::BitVector &Excluded);

/// The one set of blocks that \p IsHot selects, for tests.
llvm::BitVector reachableHotBlocks(
    const llvm::bolt::BinaryFunction &BF,
    llvm::function_ref<bool(const llvm::bolt::BinaryBasicBlock &)> IsHot);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_HOTBLOCKS_H
