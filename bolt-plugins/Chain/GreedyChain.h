//===- Chain/GreedyChain.h - Chains of blocks by edge count -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Basic-block chaining as Spike did it (Cohn, Goodwin, Lowney 1997, "Code
// Layout"; the algorithm is Pettis and Hansen 1990, section 4).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_CHAIN_GREEDYCHAIN_H
#define GRAUPEL_CHAIN_GREEDYCHAIN_H

#include "FlowGraph.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel {

/// The chains of one function in output order. Each block is in exactly one.
struct ChainOrder {
  std::vector<std::vector<uint32_t>> Chains;

  /// The blocks of all chains, in output order.
  std::vector<uint32_t> blocks() const;
  /// One line a chain: "chain 0 (count 120): 0 2 1".
  void print(llvm::raw_ostream &OS, const FlowGraph &Graph) const;
};

/// Joins blocks into chains, heaviest edge first, and orders the chains: the
/// entry's first, then by their most executed block.
///
/// Deterministic: ties are broken by the original order of the blocks.
ChainOrder chainGreedily(const FlowGraph &Graph);

} // namespace graupel

#endif // GRAUPEL_CHAIN_GREEDYCHAIN_H
