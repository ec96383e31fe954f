//===- ProfileMatch/FunctionMatching.h - Functions found again --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_FUNCTIONMATCHING_H
#define GRAUPEL_PROFILEMATCH_FUNCTIONMATCHING_H

#include "ShapedImage.h"
#include <optional>

namespace graupel {

/// By what a function was found again.
enum class MatchedBy {
  Content,  ///< Nothing has changed but, maybe, its name and place.
  Name,     ///< Its name, and its code is similar.
  Shape,    ///< The same flow graph at the same place of the list.
  Distance, ///< Least edit distance of the lists.
  Blocks,   ///< Blocks that are rare, wherever it moved.
  Calls     ///< Its callers and their call sites.
};
llvm::StringRef describe(MatchedBy By);

/// Pairs of functions of an old and a new image; no function is in two.
class FunctionMatches {
public:
  struct Match {
    uint32_t Old, New;
    MatchedBy By;
    double Similarity; ///< 0 to 1.
  };

  FunctionMatches(size_t NumOld, size_t NumNew)
      : NewOf(NumOld), OldOf(NumNew) {}

  std::optional<uint32_t> newOf(uint32_t Old) const {
    return NewOf[Old] ? std::optional(Matches[*NewOf[Old]].New) : std::nullopt;
  }
  const Match *find(uint32_t Old) const {
    return NewOf[Old] ? &Matches[*NewOf[Old]] : nullptr;
  }
  bool isNewTaken(uint32_t New) const { return OldOf[New].has_value(); }
  bool isOldTaken(uint32_t Old) const { return NewOf[Old].has_value(); }
  llvm::ArrayRef<Match> all() const { return Matches; }

  void add(Match M);

private:
  std::vector<Match> Matches;
  std::vector<std::optional<uint32_t>> NewOf, OldOf; ///< Indices of matches.
};

/// The share of the code of both functions that is the same, 0 to 1.
double similarity(const ShapedFunction &Old, const ShapedFunction &New);

/// Finds the functions of \p Old in \p New, both complete. Deterministic. Takes
/// about as long as reading the images unless thousands of functions in a row
/// were changed.
FunctionMatches matchFunctions(const ShapedImage &Old, const ShapedImage &New);

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_FUNCTIONMATCHING_H
