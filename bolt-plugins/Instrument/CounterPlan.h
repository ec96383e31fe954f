//===- Instrument/CounterPlan.h - Where a function is counted ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_COUNTERPLAN_H
#define GRAUPEL_INSTRUMENT_COUNTERPLAN_H

#include "bolt/Core/BinaryFunction.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel {

struct BlockExits;

/// Decides which edges of a function to count, and at which places. Nodes are
/// the indices of blocks; the number of blocks stands for the outside.
class CounterPlan {
public:
  using Block = llvm::bolt::BinaryBasicBlock;

  /// The place that the counter of an edge can have.
  enum class Spot {
    None,   ///< Nowhere.
    Source, ///< In the block it leaves, which it leaves always.
    Target, ///< In the block it enters, which is entered by nothing else.
    Edge    ///< In a new block.
  };
  struct Edge {
    Block *From; ///< Null for the outside.
    Block *To;
    uint64_t Weight;
    Spot Where;
    bool Counted = false;
  };

  /// Plans \p BF, by its profile if it has one, else by the depth of loops.
  explicit CounterPlan(llvm::bolt::BinaryFunction &BF);

  /// Why the function cannot be counted, or null.
  const char *obstacle() const { return Obstacle; }
  llvm::ArrayRef<Edge> edges() const { return Edges; }
  uint32_t node(const Block *B) const;

  /// One line for each counter: the edge, its weight, the place.
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::bolt::BinaryFunction &BF;
  std::vector<Edge> Edges;
  const char *Obstacle = nullptr;

  using ExitsByBlock = llvm::ArrayRef<BlockExits>;
  void collectEdges(ExitsByBlock Exits);
  void addEdge(ExitsByBlock Exits, Block *From, Block *To, uint64_t Weight);
  Spot spotFor(ExitsByBlock Exits, const Block *From, const Block *To) const;
  void choose(ExitsByBlock Exits);
};

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_COUNTERPLAN_H
