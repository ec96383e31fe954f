//===- Profile/EdgeCounts.h - Execution counts of edges ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_EDGECOUNTS_H
#define GRAUPEL_PROFILE_EDGECOUNTS_H

#include "FlowSolver.h"
#include "ProfileFile.h"

namespace graupel {

/// The counts of all edges of \p F, a function of \p P, in their order.
Flow edgeCounts(const Profile &P, const FunctionProfile &F);

} // namespace graupel

#endif // GRAUPEL_PROFILE_EDGECOUNTS_H
