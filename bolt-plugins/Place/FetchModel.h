//===- Place/FetchModel.h - How good is a placement -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scorer for placements. A profile says how often each edge was taken, not in
// which order; the model walks through the program at random with the profile's
// probabilities, keeping a call stack, and feeds the code it passes to a
// simulated instruction cache. One walk serves to compare many placements.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PLACE_FETCHMODEL_H
#define GRAUPEL_PLACE_FETCHMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace graupel {

/// What the walk sees of a program: the executed blocks, numbered.
struct ProgramFlow {
  /// (number of a block or function, times gone there)
  using Weighted = std::pair<uint32_t, uint64_t>;

  struct Call {
    uint32_t Offset; ///< Bytes from the start of the block to the call's end.
    std::vector<Weighted> Callees;
  };
  struct Block {
    uint32_t Size; ///< Bytes.
    uint64_t Count;
    std::vector<Weighted> Successors; ///< None: the function returns.
    std::vector<Call> Calls;          ///< In order of their offsets.
  };
  std::vector<Block> Blocks;
  /// The entry block of each function.
  std::vector<uint32_t> Entries;
};

/// A random but repeatable walk through a program.
class FetchTrace {
public:
  /// Walks \p Length steps; a step is the code of a block up to a call or the
  /// block's end. Equal arguments give equal traces. O(Length + program size).
  FetchTrace(const ProgramFlow &Program, uint64_t Length, uint64_t Seed);

  /// Misses of an instruction cache of 32 kB, 8 ways, 64-byte lines, LRU, when
  /// block i lies at \p Addresses[i].
  uint64_t misses(llvm::ArrayRef<uint64_t> Addresses) const;

  uint64_t length() const { return Steps.size(); }

private:
  struct Piece {
    uint32_t Block;
    uint32_t Offset;
    uint32_t Size;
  };
  std::vector<Piece> Pieces;
  std::vector<uint32_t> Steps; ///< Indices of pieces.
};

} // namespace graupel

#endif // GRAUPEL_PLACE_FETCHMODEL_H
