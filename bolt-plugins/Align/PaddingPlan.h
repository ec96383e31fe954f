//===- Align/PaddingPlan.h - Where padding pays -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ALIGN_PADDINGPLAN_H
#define GRAUPEL_ALIGN_PADDINGPLAN_H

#include "FetchCost.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace graupel {

/// A block whose place is to be decided.
struct PaddingBlock {
  uint64_t Size = 0; ///< Bytes.
  uint64_t Count = 0;
  uint64_t FallIn = 0;     ///< The part of Count from the block before.
  uint8_t JumpSize = 0;    ///< As in PlacedBlock.
  bool WasAligned = false; ///< The compiler had put padding before it.
};

/// Costs, in decode windows entered.
struct PaddingCosts {
  /// The cost of one executed padding instruction.
  double Nop = 0.25;
  /// The cost of one execution of a jump at the end of a window.
  double JumpAtBoundary = 0.5;
  /// The cost of one entry of a block that the compiler had aligned, if it
  /// starts at the last byte of 16; in proportion if earlier.
  double LostAlignment = 0.5;
  /// The cost of one byte of padding: hot code is spread over more of the
  /// cache.
  double Byte = 0;
};

/// All that \p B costs where it lies, with the padding before it. \p
/// WasAligned: the compiler had aligned it.
double placedCost(const PlacedBlock &B, bool WasAligned,
                  const PaddingCosts &Costs);

/// Alignment of each of \p Blocks, in their order: 1 (no padding), 16 or 32.
/// The first block is at the beginning of a decode window and gets no padding.
/// The sum of what \p Costs says is the least that is possible.
std::vector<uint8_t> planPadding(llvm::ArrayRef<PaddingBlock> Blocks,
                                 const PaddingCosts &Costs);

} // namespace graupel

#endif // GRAUPEL_ALIGN_PADDINGPLAN_H
