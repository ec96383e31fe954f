//===- Chain/GreedyChain.cpp - Chains of blocks by edge count -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Sort the edges by count, heaviest first; those that cannot fall through
//    come after all others, since joining them saves no branch.
// 2. Join the ends of each edge whose source has no successor yet and whose
//    target has no predecessor yet, unless that closes a cycle. Nothing is
//    placed before the entry.
// 3. Order the chains: the entry's, then by their most executed block.
//
//===----------------------------------------------------------------------===//

#include "GreedyChain.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <tuple>

using namespace graupel;

namespace {

constexpr uint32_t None = ~0u;

/// The successor and predecessor of each block inside its chain.
struct Links {
  std::vector<uint32_t> Next, Previous, Leader;

  explicit Links(size_t NumBlocks)
      : Next(NumBlocks, None), Previous(NumBlocks, None), Leader(NumBlocks) {
    std::iota(Leader.begin(), Leader.end(), 0);
  }

  uint32_t leaderOf(uint32_t Block) {
    while (Leader[Block] != Block)
      Block = Leader[Block] = Leader[Leader[Block]];
    return Block;
  }

  void joinIfFree(uint32_t Source, uint32_t Target) {
    if (Target == 0 || Next[Source] != None || Previous[Target] != None ||
        leaderOf(Source) == leaderOf(Target))
      return;
    Next[Source] = Target;
    Previous[Target] = Source;
    Leader[leaderOf(Target)] = leaderOf(Source);
  }
};

uint64_t hottestCount(const FlowGraph &Graph, llvm::ArrayRef<uint32_t> Chain) {
  uint64_t Hottest = 0;
  for (uint32_t Block : Chain)
    Hottest = std::max(Hottest, Graph.Blocks[Block].Count);
  return Hottest;
}

} // namespace

ChainOrder graupel::chainGreedily(const FlowGraph &Graph) {
  // Step 1.
  std::vector<FlowGraph::Edge> Edges = Graph.Edges;
  llvm::sort(Edges, [](const FlowGraph::Edge &A, const FlowGraph::Edge &B) {
    return std::make_tuple(!A.CanFallThrough, ~A.Count, A.Source, A.Target) <
           std::make_tuple(!B.CanFallThrough, ~B.Count, B.Source, B.Target);
  });

  // Step 2.
  Links Link(Graph.Blocks.size());
  for (const FlowGraph::Edge &Edge : Edges)
    Link.joinIfFree(Edge.Source, Edge.Target);

  ChainOrder Order;
  for (uint32_t Head = 0; Head < Graph.Blocks.size(); ++Head) {
    if (Link.Previous[Head] != None)
      continue;
    Order.Chains.emplace_back();
    for (uint32_t Block = Head; Block != None; Block = Link.Next[Block])
      Order.Chains.back().push_back(Block);
  }

  // Step 3. The chain of the entry was found first.
  std::stable_sort(Order.Chains.begin() + !Order.Chains.empty(),
                   Order.Chains.end(),
                   [&](llvm::ArrayRef<uint32_t> A, llvm::ArrayRef<uint32_t> B) {
                     return hottestCount(Graph, A) > hottestCount(Graph, B);
                   });
  return Order;
}

std::vector<uint32_t> ChainOrder::blocks() const {
  std::vector<uint32_t> Blocks;
  for (const std::vector<uint32_t> &Chain : Chains)
    llvm::append_range(Blocks, Chain);
  return Blocks;
}

void ChainOrder::print(llvm::raw_ostream &OS, const FlowGraph &Graph) const {
  for (const auto &[Index, Chain] : llvm::enumerate(Chains)) {
    OS << "  chain " << Index << " (count " << hottestCount(Graph, Chain)
       << "):";
    for (uint32_t Block : Chain)
      OS << ' ' << Block;
    OS << '\n';
  }
}
