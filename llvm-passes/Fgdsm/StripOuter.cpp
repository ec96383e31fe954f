//===- StripOuter.cpp - Strips of loops around other loops ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops within a loop may run as often as they like, and then the nest is not
// folded (StripNest.cpp). The outer loop's own accesses may be streams
// nevertheless: the bounds of the rows of a sparse matrix, and the results. The
// outer loop is cut for these. Its strips stay valid while the inner loops poll
// and fault, as all that tell the runtime what the code relies on do.
//
//  1. The inner loops are planned by themselves, and keep their own polls.
//  2. The accesses of the outer loop's own blocks are clustered as those of an
//     innermost loop.
//  3. As nobody knows how long a row takes, a strip has few of them.
//
//===----------------------------------------------------------------------===//

#include "StripPlanner.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace llvm;

namespace graupel::fgdsm {

/// Slow paths within re-validate the streams of all loops around them, of which
/// they can tell the runtime only so many.
static constexpr unsigned MaxOuterStreams = 3;

std::optional<LoopPlan> StripPlanner::planOuter(Loop &L) {
  LoopPlan Plan;
  Plan.L = &L;
  Plan.Around = true;
  if (!refuse(L, Plan).empty())
    return std::nullopt;
  std::string Gap;
  SmallVector<Footprint, 16> Prints;
  collect(L, Prints, Gap);
  cluster(Prints, Plan, Gap);
  llvm::erase_if(Plan.Streams,
                 [](const Stream &S) { return S.Step->isZero(); });
  if (Plan.Streams.empty() || Plan.Streams.size() > MaxOuterStreams)
    return std::nullopt;
  chooseLength(Plan, Gap);
  if (!Plan.Refusal.empty() || Plan.Streams.empty())
    return std::nullopt;
  Plan.StripLength = std::min(Plan.StripLength, MaxRows);
  return Plan;
}

} // namespace graupel::fgdsm
