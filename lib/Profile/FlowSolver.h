//===- Profile/FlowSolver.h - Counts of all edges from some -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_FLOWSOLVER_H
#define GRAUPEL_PROFILE_FLOWSOLVER_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace graupel {

/// An edge of a closed flow graph with its count, if that is known.
struct FlowEdge {
  uint32_t From;
  uint32_t To;
  std::optional<uint64_t> Count;
};

struct Flow {
  /// Counts of the edges, in their order.
  std::vector<uint64_t> Counts;
  /// Sum of the counts that would have to be negative: number of times that
  /// control visibly left a block without taking one of its edges (exceptions,
  /// longjmp, exit). 0 for functions that always return.
  uint64_t Residual = 0;
};

/// Derives the unknown counts, which must be on edges without a cycle, from the
/// conservation of flow at each of \p NumNodes nodes. A count is never
/// negative. Linear in the size of the graph.
Flow solveFlow(uint32_t NumNodes, llvm::ArrayRef<FlowEdge> Edges);

} // namespace graupel

#endif // GRAUPEL_PROFILE_FLOWSOLVER_H
