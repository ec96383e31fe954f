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
  /// Of each old block the new one, if it was found again. None is in it twice.
  std::vector<std::optional<uint32_t>> NewOf;
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
