//===- ProfileMatch/BlockMatching.h - Which block is which ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_BLOCKMATCHING_H
#define GRAUPEL_PROFILEMATCH_BLOCKMATCHING_H

#include "FunctionMatching.h"

namespace graupel {

struct BlockMatches {
  /// The new block of each old one, if it was found again. None is in it twice.
  std::vector<std::optional<uint32_t>> NewOf;
  /// Old blocks and new ones that nothing is matched with: the code of each old
  /// one is in two blocks now, as somebody jumps into the middle, and the new
  /// one is that of the two which NewOf does not say.
  std::vector<std::pair<uint32_t, uint32_t>> Parts;
  /// All of both are matched, and so are their edges.
  bool SameGraph = false;
};

/// Whether two blocks do about the same.
bool areAlike(const BlockShape &A, const BlockShape &B);

/// Finds the blocks of \p Old in \p New. \p Functions tells which calls are
/// calls of the same functions.
BlockMatches matchBlocks(const ShapedFunction &Old, const ShapedFunction &New,
                         const FunctionMatches &Functions);

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_BLOCKMATCHING_H
