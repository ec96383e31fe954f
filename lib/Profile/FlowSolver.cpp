//===- Profile/FlowSolver.cpp - Counts of all edges from some -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowSolver.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel;

namespace {

/// Works inwards from the leaves of the forest of unknown edges: a node with
/// one unknown edge left determines it.
class Solver {
public:
  Solver(uint32_t NumNodes, ArrayRef<FlowEdge> Edges)
      : Edges(Edges), Excess(NumNodes), Unknown(NumNodes) {
    for (uint32_t I = 0; I < Edges.size(); ++I) {
      if (Edges[I].Count)
        settle(I, *Edges[I].Count);
      else if (Edges[I].From != Edges[I].To)
        forBothEnds(I, [&](uint32_t Node) { Unknown[Node].push_back(I); });
    }
    Result.Counts.assign(Edges.size(), 0);
  }

  Flow solve() {
    for (uint32_t I = 0; I < Edges.size(); ++I)
      if (Edges[I].Count)
        Result.Counts[I] = *Edges[I].Count;
    std::vector<bool> Done(Edges.size());
    std::vector<uint32_t> Leaves;
    std::vector<uint32_t> Open(Unknown.size());
    for (uint32_t Node = 0; Node < Unknown.size(); ++Node)
      if ((Open[Node] = Unknown[Node].size()) == 1)
        Leaves.push_back(Node);
    while (!Leaves.empty()) {
      const uint32_t Node = Leaves.back();
      Leaves.pop_back();
      for (uint32_t Index : Unknown[Node]) {
        if (Done[Index])
          continue;
        Done[Index] = true;
        derive(Index, Node);
        forBothEnds(Index, [&](uint32_t End) {
          if (--Open[End] == 1)
            Leaves.push_back(End);
        });
      }
    }
    return std::move(Result);
  }

private:
  ArrayRef<FlowEdge> Edges;
  /// Known inflow of each node minus its known outflow. Wraps around, as the
  /// sums of counts would.
  std::vector<uint64_t> Excess;
  std::vector<std::vector<uint32_t>> Unknown;
  Flow Result;

  template <typename FunctionT> void forBothEnds(uint32_t Index, FunctionT F) {
    F(Edges[Index].From);
    F(Edges[Index].To);
  }

  void settle(uint32_t Index, uint64_t Count) {
    Excess[Edges[Index].To] += Count;
    Excess[Edges[Index].From] -= Count;
  }

  /// The only unknown edge of \p Node must make up for its excess.
  void derive(uint32_t Index, uint32_t Node) {
    uint64_t Count = Excess[Node];
    if (Edges[Index].To == Node)
      Count = 0 - Count;
    // Less than 0 if it could be.
    if (Count >> 63) {
      Result.Residual = SaturatingAdd(Result.Residual, 0 - Count);
      Count = 0;
    }
    Result.Counts[Index] = Count;
    settle(Index, Count);
  }
};

} // namespace

Flow graupel::solveFlow(uint32_t NumNodes, ArrayRef<FlowEdge> Edges) {
  return Solver(NumNodes, Edges).solve();
}
