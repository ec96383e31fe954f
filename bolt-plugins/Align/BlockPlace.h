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
#include "llvm/MC/MCCodeEmitter.h"

namespace graupel {

/// \p B at \p Begin to \p End, behind \p Previous (null if it is the first of
/// its fragment), which ends at \p PreviousEnd. Branches have to agree with the
/// order of blocks.
PlacedBlock placeBlock(const llvm::bolt::BinaryBasicBlock &B, uint64_t Begin,
                       uint64_t End,
                       const llvm::bolt::BinaryBasicBlock *Previous,
                       uint64_t PreviousEnd);

/// The end of the code of \p B. BOLT's emitter counts padding before the next
/// block, \p Next (null if there is none), as a part of \p B. All blocks have
/// the addresses that it told. \p Emitter belongs to this thread.
uint64_t codeEnd(const llvm::bolt::BinaryBasicBlock &B,
                 const llvm::bolt::BinaryBasicBlock *Next,
                 const llvm::MCCodeEmitter &Emitter);

/// Bytes of the jump that ends \p B, whose size is \p Size, with the compare or
/// test before it.
uint8_t jumpSize(const llvm::bolt::BinaryBasicBlock &B, uint64_t Size,
                 const llvm::MCCodeEmitter &Emitter);

/// False for the blocks that BOLT makes of conditional tail calls, also of
/// those to the function's own cold part: in the input their bytes are those of
/// the jump before, and they have no end.
bool isInInput(const llvm::bolt::BinaryBasicBlock &B);

} // namespace graupel

#endif // GRAUPEL_ALIGN_BLOCKPLACE_H
