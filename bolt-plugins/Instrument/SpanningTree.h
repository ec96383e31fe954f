//===- Instrument/SpanningTree.h - Which edges to count ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counts of all edges of a flow graph follow from the counts of those
// outside a spanning tree, since as much flows into each node as out of it
// (Knuth, The Art of Computer Programming, vol. 1, 2.3.4.1). The cheapest
// choice leaves the heaviest edges in the tree.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_SPANNINGTREE_H
#define GRAUPEL_INSTRUMENT_SPANNINGTREE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace graupel {

/// An edge of a flow graph that is closed: what leaves it enters it again
/// through one node that stands for the outside.
struct WeightedEdge {
  enum class Choice {
    Either,  ///< In the tree if that is cheaper.
    Derive,  ///< There is no place for a counter: must be in the tree.
    Counted, ///< Must be counted.
  };
  uint32_t From;
  uint32_t To;
  /// An estimate of the count, in any unit.
  uint64_t Weight;
  Choice May = Choice::Either;
};

/// Returns for each of \p Edges, between nodes below \p NumNodes, whether it
/// needs a counter, or nothing if the edges that must be derived form a cycle.
std::optional<std::vector<bool>>
chooseCountedEdges(uint32_t NumNodes, llvm::ArrayRef<WeightedEdge> Edges);

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_SPANNINGTREE_H
