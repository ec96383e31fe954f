//===- ProfileMatch/BlockScores.h - Likeness of blocks ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_BLOCKSCORES_H
#define GRAUPEL_PROFILEMATCH_BLOCKSCORES_H

#include "FunctionMatching.h"

namespace graupel {

/// The predecessors of each block.
std::vector<llvm::SmallVector<uint32_t, 2>>
predecessors(llvm::ArrayRef<ShapedFunction::Block> Blocks);

/// Scores of the evidence that a block of an old function has become one of a
/// new function; below 0, of the evidence against it.
class BlockScores {
public:
  /// \p Functions tells which calls are calls of the same functions.
  BlockScores(llvm::ArrayRef<ShapedFunction::Block> Old,
              llvm::ArrayRef<ShapedFunction::Block> New,
              const FunctionMatches &Functions);

  /// By what both blocks do alone.
  float alone(uint32_t O, uint32_t N) const;

  /// Adds what speaks for their neighbors, and for the neighbors of these.
  /// Takes 12 bytes and a tenth of a microsecond for each pair of blocks.
  void lookAround();

  /// With the neighbors, once lookAround() has been called.
  float of(uint32_t O, uint32_t N) const {
    return Around.empty() ? alone(O, N) : Around[O * New.size() + N];
  }

private:
  llvm::ArrayRef<ShapedFunction::Block> Old, New;
  const FunctionMatches &Functions;
  /// By block: how rare, 0 to 1, are its instructions, its operations.
  struct Rarity {
    std::vector<float> Exact, Mnemonics;
  };
  Rarity RarityOfOld;
  std::vector<float> Around;

  bool isSameCallee(uint32_t O, uint32_t N) const;
  bool mayBeSameCallee(uint32_t O, uint32_t N) const;
  float ofCalls(const ShapedFunction::Block &O,
                const ShapedFunction::Block &N) const;
};

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_BLOCKSCORES_H
