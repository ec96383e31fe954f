//===- Stride/Analysis/Advice.h - Suggested changes and reasons -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The histograms say where references go, not what that costs. The estimate
// behind the order is: how many lines of 64 bytes are entered beyond those that
// the bytes referred to fill, if nothing stays in a cache. If caches were
// simulated, it is their misses (CacheAdvice). Data that fit into
// the first cache are not complained of, except for what is loaded twice.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_ANALYSIS_ADVICE_H
#define GRAUPEL_STRIDE_ANALYSIS_ADVICE_H

#include "Misses.h"

namespace graupel::stride {

enum class IssueKind {
  Interchange,
  Block,
  SplitStructure,
  Pad,
  Prefetch,
  NonTemporal,
  Alignment,
  VectorGather,
  Reload,
  Conflict,
  LowUtilization,
  FalseSharing,
  TrueSharing
};

struct Issue {
  IssueKind Kind;
  uint32_t Use;        ///< In `Profile::Uses`.
  double Lines;        ///< The estimate above.
  std::string Problem; ///< Sentences.
  std::string Advice;
  /// If caches were simulated: what the order is by, and what to say of it.
  double Cost = 0;
  std::string Measured = "";
};

/// "interchange", "split-structure", ...
const char *nameOfIssue(IssueKind Kind);

/// Worst first.
std::vector<Issue> advise(const Record &R, const Objects &O, const Profile &P,
                          const Misses &M);

} // namespace graupel::stride

#endif
