//===- Place/ClosestIsBest.h - Callers next to callees ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Procedure placement as Spike did it (Cohn, Goodwin, Lowney 1997, "Procedure
// Placement"; "closest is best" is Pettis and Hansen 1990, section 3).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PLACE_CLOSESTISBEST_H
#define GRAUPEL_PLACE_CLOSESTISBEST_H

#include "ReferenceGraph.h"
#include <vector>

namespace graupel {

/// Orders the parts of \p Graph so that parts that call each other often are
/// close: merges the two ends of the heaviest edge into one list until no edge
/// is left, each time in the orientation that brings the heaviest original
/// edge between the two lists closest. Lists are then ordered by density
/// (executed instructions per byte); recursion is ignored.
///
/// Deterministic: ties are broken by the original order. O(E log E) merges plus
/// the length of the lists joined.
std::vector<uint32_t> placeClosestIsBest(const ReferenceGraph &Graph);

} // namespace graupel

#endif // GRAUPEL_PLACE_CLOSESTISBEST_H
