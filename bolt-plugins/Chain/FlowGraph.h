//===- Chain/FlowGraph.h - A function's flow as counts ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function as a block-ordering algorithm sees it: sizes, counts and edges.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_CHAIN_FLOWGRAPH_H
#define GRAUPEL_CHAIN_FLOWGRAPH_H

#include <cstdint>
#include <vector>

namespace graupel {

/// Nodes are numbered in the original order of the blocks; node 0 is the entry.
struct FlowGraph {
  struct Block {
    uint64_t Size;  ///< Bytes, an estimate: branches may still change.
    uint64_t Count; ///< Executions.
  };
  struct Edge {
    uint32_t Source;
    uint32_t Target;
    uint64_t Count; ///< Traversals.
    /// The source can reach the target by falling through. False for the edges
    /// of a jump table.
    bool CanFallThrough;
  };

  std::vector<Block> Blocks;
  std::vector<Edge> Edges;
};

} // namespace graupel

#endif // GRAUPEL_CHAIN_FLOWGRAPH_H
