//===- Instrument/SpanningTree.cpp - Which edges to count -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpanningTree.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;
using namespace graupel;

namespace {

/// Sets of nodes that are already connected.
class Components {
public:
  explicit Components(uint32_t NumNodes) : Parent(NumNodes) {
    std::iota(Parent.begin(), Parent.end(), 0);
  }

  /// Returns false if \p A and \p B were connected before.
  bool connect(uint32_t A, uint32_t B) {
    A = root(A);
    B = root(B);
    Parent[A] = B;
    return A != B;
  }

private:
  std::vector<uint32_t> Parent;

  uint32_t root(uint32_t Node) {
    while (Parent[Node] != Node)
      Node = Parent[Node] = Parent[Parent[Node]];
    return Node;
  }
};

} // namespace

std::optional<std::vector<bool>>
graupel::chooseCountedEdges(uint32_t NumNodes, ArrayRef<WeightedEdge> Edges) {
  // Kruskal's algorithm, with the edges that must be in the tree first.
  using Choice = WeightedEdge::Choice;
  std::vector<uint32_t> Order(Edges.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::stable_sort(Order, [&](uint32_t A, uint32_t B) {
    const bool DeriveA = Edges[A].May == Choice::Derive;
    const bool DeriveB = Edges[B].May == Choice::Derive;
    if (DeriveA != DeriveB)
      return DeriveA;
    return Edges[A].Weight > Edges[B].Weight;
  });

  Components Connected(NumNodes);
  std::vector<bool> Counted(Edges.size(), true);
  for (uint32_t Index : Order) {
    const WeightedEdge &Edge = Edges[Index];
    if (Edge.May == Choice::Counted)
      continue;
    if (Connected.connect(Edge.From, Edge.To))
      Counted[Index] = false;
    else if (Edge.May == Choice::Derive)
      return std::nullopt;
  }
  return Counted;
}
