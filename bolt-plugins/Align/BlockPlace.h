//===- Align/BlockPlace.h - BOLT's blocks for the scorer --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ALIGN_BLOCKPLACE_H
#define GRAUPEL_ALIGN_BLOCKPLACE_H

#include "FetchCost.h"
#include "bolt/Core/BinaryBasicBlock.h"

namespace graupel {

/// \p B at \p Begin to \p End, behind \p Previous (null if it is the first of
/// its fragment), which ends at \p PreviousEnd. Branches have to agree with the
/// order of blocks.
PlacedBlock placeBlock(const llvm::bolt::BinaryBasicBlock &B, uint64_t Begin,
                       uint64_t End,
                       const llvm::bolt::BinaryBasicBlock *Previous,
                       uint64_t PreviousEnd);

/// Bytes of the jump that ends \p B, whose size is \p Size, with the compare or
/// test before it.
uint8_t jumpSize(const llvm::bolt::BinaryBasicBlock &B, uint64_t Size);

/// False for the blocks that BOLT makes of conditional tail calls, also of
/// those to the function's own cold part: in the input their bytes are those of
/// the jump before, and they have no end.
bool isInInput(const llvm::bolt::BinaryBasicBlock &B);

} // namespace graupel

#endif // GRAUPEL_ALIGN_BLOCKPLACE_H
