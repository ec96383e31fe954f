//===- unit/GreedyChainTest.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/GreedyChain.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>

using namespace graupel;
using namespace graupel::test;

namespace {

using Order = std::vector<uint32_t>;

/// Blocks of four bytes with the given counts, and edges {from, to, count}.
FlowGraph graph(std::vector<uint64_t> Counts,
                std::vector<std::array<uint64_t, 3>> Edges) {
  FlowGraph Graph;
  for (uint64_t Count : Counts)
    Graph.Blocks.push_back({4, Count});
  for (auto [Source, Target, Count] : Edges)
    Graph.Edges.push_back({static_cast<uint32_t>(Source),
                           static_cast<uint32_t>(Target), Count, true});
  return Graph;
}

FlowGraph randomGraph(Random &R) {
  FlowGraph Graph;
  const uint64_t NumBlocks = 1 + R.below(40);
  for (uint64_t I = 0; I < NumBlocks; ++I)
    Graph.Blocks.push_back({1 + R.below(100), R.below(1000)});
  // Few different counts, so that ties are common.
  const uint64_t MaxCount = 1 + R.below(R.oneIn(2) ? 3 : 1000);
  for (uint64_t I = R.below(4 * NumBlocks); I; --I)
    Graph.Edges.push_back({static_cast<uint32_t>(R.below(NumBlocks)),
                           static_cast<uint32_t>(R.below(NumBlocks)),
                           R.below(MaxCount), !R.oneIn(8)});
  return Graph;
}

std::string printed(const FlowGraph &Graph) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  chainGreedily(Graph).print(OS, Graph);
  return Text;
}

/// The place of each block in \p Blocks.
Order positions(const Order &Blocks) {
  Order Position(Blocks.size());
  for (uint32_t I = 0; I < Blocks.size(); ++I)
    Position[Blocks[I]] = I;
  return Position;
}

TEST(GreedyChain, NoBlocks) {
  EXPECT_TRUE(chainGreedily(FlowGraph()).Chains.empty());
  EXPECT_TRUE(chainGreedily(FlowGraph()).blocks().empty());
}

TEST(GreedyChain, OneBlock) {
  EXPECT_EQ(chainGreedily(graph({7}, {})).blocks(), Order({0}));
}

TEST(GreedyChain, WithoutCountsTheOriginalOrderStays) {
  EXPECT_EQ(chainGreedily(graph({0, 0, 0, 0}, {})).blocks(),
            Order({0, 1, 2, 3}));
}

TEST(GreedyChain, HeavierSideOfABranchFallsThrough) {
  // 0 branches to 1 (rarely) and 2 (often); both go on to 3.
  const FlowGraph Graph = graph(
      {100, 10, 90, 100}, {{0, 1, 10}, {0, 2, 90}, {1, 3, 10}, {2, 3, 90}});
  EXPECT_EQ(chainGreedily(Graph).Chains, std::vector<Order>({{0, 2, 3}, {1}}));
}

TEST(GreedyChain, LoopIsCutAtItsLightestEdge) {
  // 1 -> 2 -> 3 -> 1 is the loop; 3 -> 1 closes the cycle last.
  const FlowGraph Graph =
      graph({1, 100, 90, 80}, {{0, 1, 1}, {1, 2, 90}, {2, 3, 85}, {3, 1, 80}});
  EXPECT_EQ(chainGreedily(Graph).blocks(), Order({0, 1, 2, 3}));
}

TEST(GreedyChain, LoopIsRotatedIfThatSavesTheHeaviestEdges) {
  // 1 -> 2 is the lightest edge of the loop 1 -> 2 -> 3 -> 1.
  const FlowGraph Graph =
      graph({1, 100, 90, 95}, {{0, 1, 1}, {1, 2, 80}, {2, 3, 90}, {3, 1, 95}});
  EXPECT_EQ(chainGreedily(Graph).blocks(), Order({0, 2, 3, 1}));
}

TEST(GreedyChain, NothingIsPlacedBeforeTheEntry) {
  // The heaviest edge leads back to the entry.
  const FlowGraph Graph = graph({100, 99, 1}, {{0, 1, 10}, {1, 0, 1000}});
  EXPECT_EQ(chainGreedily(Graph).blocks(), Order({0, 1, 2}));
}

TEST(GreedyChain, SelfLoopJoinsNothing) {
  const FlowGraph Graph = graph({1, 100, 1}, {{1, 1, 1000}, {0, 1, 1}});
  EXPECT_EQ(chainGreedily(Graph).Chains, std::vector<Order>({{0, 1}, {2}}));
}

TEST(GreedyChain, JumpTableEdgesComeAfterAllOthers) {
  // 0 leads to 1 through a jump table, 2 falls through to 1.
  FlowGraph Graph = graph({100, 100, 1}, {{0, 1, 99}, {2, 1, 1}});
  Graph.Edges[0].CanFallThrough = false;
  EXPECT_EQ(chainGreedily(Graph).Chains, std::vector<Order>({{0}, {2, 1}}));
}

TEST(GreedyChain, JumpTableEdgesStillBringBlocksTogether) {
  FlowGraph Graph = graph({100, 0, 100}, {{0, 2, 99}});
  Graph.Edges[0].CanFallThrough = false;
  EXPECT_EQ(chainGreedily(Graph).blocks(), Order({0, 2, 1}));
}

TEST(GreedyChain, ChainsAreOrderedByTheirHottestBlock) {
  // The entry's chain is first although it is the coldest.
  const FlowGraph Graph = graph({1, 5, 20, 7, 6}, {{1, 3, 4}, {4, 2, 3}});
  EXPECT_EQ(chainGreedily(Graph).Chains,
            std::vector<Order>({{0}, {4, 2}, {1, 3}}));
}

TEST(GreedyChain, TiesKeepTheOriginalOrder) {
  const FlowGraph Graph = graph({1, 5, 5, 5, 5}, {{0, 2, 5}, {0, 1, 5}});
  EXPECT_EQ(chainGreedily(Graph).blocks(), Order({0, 1, 2, 3, 4}));
}

TEST(GreedyChain, LargestCounts) {
  const uint64_t Max = ~0ull;
  const FlowGraph Graph =
      graph({Max, 0, Max}, {{0, 1, 0}, {0, 2, Max}, {2, 1, Max - 1}});
  EXPECT_EQ(chainGreedily(Graph).blocks(), Order({0, 2, 1}));
}

TEST(GreedyChain, Print) {
  const FlowGraph Graph = graph(
      {100, 10, 90, 100}, {{0, 1, 10}, {0, 2, 90}, {1, 3, 10}, {2, 3, 90}});
  EXPECT_EQ(printed(Graph), "  chain 0 (count 100): 0 2 3\n"
                            "  chain 1 (count 10): 1\n");
}

TEST(GreedyChainProperty, EveryBlockOnceAndTheEntryFirst) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const FlowGraph Graph = randomGraph(R);
    Order Blocks = chainGreedily(Graph).blocks();
    ASSERT_FALSE(Blocks.empty());
    EXPECT_EQ(Blocks.front(), 0u);
    std::sort(Blocks.begin(), Blocks.end());
    Order All(Graph.Blocks.size());
    std::iota(All.begin(), All.end(), 0);
    EXPECT_EQ(Blocks, All);
  }
}

TEST(GreedyChainProperty, TheHeaviestEdgeFallsThrough) {
  uint64_t Checked = 0;
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const FlowGraph Graph = randomGraph(R);
    const FlowGraph::Edge *Heaviest = nullptr;
    bool Tie = false;
    for (const FlowGraph::Edge &Edge : Graph.Edges) {
      if (Edge.Target == 0 || Edge.Source == Edge.Target ||
          !Edge.CanFallThrough)
        continue;
      Tie = Heaviest && (Edge.Count == Heaviest->Count ||
                         (Tie && Edge.Count < Heaviest->Count));
      if (!Heaviest || Edge.Count > Heaviest->Count)
        Heaviest = &Edge;
    }
    if (!Heaviest || Tie)
      continue;
    const Order Position = positions(chainGreedily(Graph).blocks());
    EXPECT_EQ(Position[Heaviest->Source] + 1, Position[Heaviest->Target]);
    ++Checked;
  }
  if (numSeeds() > 1) {
    EXPECT_GT(Checked, 50u) << "too few graphs without a tie";
  }
}

TEST(GreedyChainProperty, NoEdgeIsLeftThatCouldJoinTwoChains) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const FlowGraph Graph = randomGraph(R);
    const ChainOrder Result = chainGreedily(Graph);
    Order Tail(Graph.Blocks.size(), 0), Head(Graph.Blocks.size(), 0);
    Order ChainOf(Graph.Blocks.size());
    for (uint32_t Chain = 0; Chain < Result.Chains.size(); ++Chain) {
      Head[Result.Chains[Chain].front()] = 1;
      Tail[Result.Chains[Chain].back()] = 1;
      for (uint32_t Block : Result.Chains[Chain])
        ChainOf[Block] = Chain;
    }
    for (const FlowGraph::Edge &Edge : Graph.Edges)
      EXPECT_FALSE(Edge.Target != 0 && Tail[Edge.Source] && Head[Edge.Target] &&
                   ChainOf[Edge.Source] != ChainOf[Edge.Target])
          << "edge " << Edge.Source << " -> " << Edge.Target;
  }
}

TEST(GreedyChainProperty, OrderOfTheEdgesDoesNotMatter) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    FlowGraph Graph = randomGraph(R);
    const std::string First = printed(Graph);
    EXPECT_EQ(First, printed(Graph));
    for (size_t I = Graph.Edges.size(); I > 1; --I)
      std::swap(Graph.Edges[I - 1], Graph.Edges[R.below(I)]);
    EXPECT_EQ(First, printed(Graph));
  }
}

} // namespace
