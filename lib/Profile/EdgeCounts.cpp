//===- Profile/EdgeCounts.cpp - Execution counts of edges -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EdgeCounts.h"

using namespace graupel;

Flow graupel::edgeCounts(const Profile &P, const FunctionProfile &F) {
  std::vector<FlowEdge> Edges;
  Edges.reserve(F.Edges.size());
  uint64_t Counter = F.FirstCounter;
  for (const FunctionProfile::Edge &Edge : F.Edges) {
    Edges.push_back({Edge.From, Edge.To, std::nullopt});
    if (Edge.Counted)
      Edges.back().Count = P.Counters[Counter++];
  }
  return solveFlow(F.numBlocks() + 1, Edges);
}
