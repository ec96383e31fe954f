//===- unit/FlowTest.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Choosing counters and deriving the other counts are inverse to each other.
//
//===----------------------------------------------------------------------===//

#include "Instrument/SpanningTree.h"
#include "Profile/FlowSolver.h"
#include "Random.h"
#include "gtest/gtest.h"

using namespace graupel;
using namespace graupel::test;
using Choice = WeightedEdge::Choice;

namespace {

/// A graph in which every node can be left and reached, and a walk's counts.
struct WalkedGraph {
  uint32_t NumNodes;
  std::vector<WeightedEdge> Edges;
  std::vector<uint64_t> Counts;
};

WalkedGraph randomWalk(Random &R) {
  WalkedGraph G;
  G.NumNodes = 2 + R.below(20);
  // The last node is the outside; a cycle through all keeps the walk going.
  for (uint32_t Node = 0; Node < G.NumNodes; ++Node)
    G.Edges.push_back({Node, (Node + 1) % G.NumNodes, R.below(100)});
  for (uint64_t I = R.below(2 * G.NumNodes); I; --I)
    G.Edges.push_back({uint32_t(R.below(G.NumNodes)),
                       uint32_t(R.below(G.NumNodes)), R.below(100)});
  G.Counts.assign(G.Edges.size(), 0);
  const uint32_t Outside = G.NumNodes - 1;
  uint32_t At = Outside;
  for (uint64_t Steps = R.below(500); Steps || At != Outside;) {
    std::vector<uint32_t> Ways;
    for (uint32_t I = 0; I < G.Edges.size(); ++I)
      if (G.Edges[I].From == At)
        Ways.push_back(I);
    // Towards the end, follow the cycle.
    const uint32_t Way = Steps ? Ways[R.below(Ways.size())] : Ways.front();
    ++G.Counts[Way];
    At = G.Edges[Way].To;
    Steps -= Steps != 0;
  }
  return G;
}

Flow solveWithCountersOf(const WalkedGraph &G,
                         const std::vector<bool> &Counted) {
  std::vector<FlowEdge> Edges;
  for (size_t I = 0; I < G.Edges.size(); ++I) {
    Edges.push_back({G.Edges[I].From, G.Edges[I].To, std::nullopt});
    if (Counted[I])
      Edges.back().Count = G.Counts[I];
  }
  return solveFlow(G.NumNodes, Edges);
}

TEST(Flow, RecoversEveryEdgeOfRandomWalks) {
  Random R(1);
  for (int Round = 0; Round < 2000; ++Round) {
    const WalkedGraph G = randomWalk(R);
    const auto Counted = chooseCountedEdges(G.NumNodes, G.Edges);
    ASSERT_TRUE(Counted);
    const Flow Solved = solveWithCountersOf(G, *Counted);
    EXPECT_EQ(Solved.Counts, G.Counts);
    EXPECT_EQ(Solved.Residual, 0u);
  }
}

TEST(Flow, CountsAsManyEdgesAsAreIndependent) {
  Random R(2);
  for (int Round = 0; Round < 200; ++Round) {
    const WalkedGraph G = randomWalk(R);
    const auto Counted = chooseCountedEdges(G.NumNodes, G.Edges);
    // The cycle connects all nodes, so the tree has NumNodes - 1 edges.
    EXPECT_EQ(std::count(Counted->begin(), Counted->end(), true),
              int64_t(G.Edges.size()) - (G.NumNodes - 1));
  }
}

TEST(Flow, LeavesTheHeaviestEdgesInTheTree) {
  // A loop: 0 -> 1, 1 -> 1, 1 -> 2, 2 is the outside.
  const std::vector<WeightedEdge> Edges = {
      {2, 0, 1}, {0, 1, 1}, {1, 1, 1000}, {1, 2, 1}};
  const auto Counted = chooseCountedEdges(3, Edges);
  // An edge from a node to itself is never in a tree.
  EXPECT_EQ(*Counted, (std::vector<bool>{false, false, true, true}));

  // A diamond with a hot side: 0 -> {1, 2} -> 3.
  const std::vector<WeightedEdge> Diamond = {
      {4, 0, 100}, {0, 1, 90}, {0, 2, 10}, {1, 3, 90}, {2, 3, 10}, {3, 4, 100}};
  EXPECT_EQ(*chooseCountedEdges(5, Diamond),
            (std::vector<bool>{false, false, false, true, true, false}));
}

TEST(Flow, KeepsWhatMustBeCountedAndWhatCannot) {
  const std::vector<WeightedEdge> Edges = {{1, 0, 5, Choice::Derive},
                                           {0, 1, 9, Choice::Either}};
  EXPECT_EQ(*chooseCountedEdges(2, Edges), (std::vector<bool>{false, true}));

  const std::vector<WeightedEdge> Counted = {{1, 0, 5, Choice::Counted},
                                             {0, 1, 9, Choice::Either}};
  EXPECT_EQ(*chooseCountedEdges(2, Counted), (std::vector<bool>{true, false}));

  const std::vector<WeightedEdge> Impossible = {{1, 0, 5, Choice::Derive},
                                                {0, 1, 9, Choice::Derive}};
  EXPECT_FALSE(chooseCountedEdges(2, Impossible));
}

TEST(Flow, NeverNegativeAndSaysWhatIsMissing) {
  // 2 -> 0 -> 1 -> 2: entered 5 times, but control left block 0 by an exception
  // 3 times: the edge 0 -> 1 was counted twice only.
  const std::vector<FlowEdge> Edges = {
      {2, 0, 2}, {0, 1, 5}, {1, 2, std::nullopt}, {0, 2, std::nullopt}};
  const Flow Solved = solveFlow(3, Edges);
  EXPECT_EQ(Solved.Counts[2], 5u);
  EXPECT_EQ(Solved.Counts[3], 0u);
  EXPECT_EQ(Solved.Residual, 3u);
}

TEST(Flow, ToleratesCyclesOfUnknownEdges) {
  const std::vector<FlowEdge> Edges = {
      {0, 1, std::nullopt}, {1, 0, std::nullopt}, {0, 0, std::nullopt}};
  EXPECT_EQ(solveFlow(2, Edges).Counts, (std::vector<uint64_t>{0, 0, 0}));
}

/// Sums beyond 2^63 come from damaged files only; sanitizers watch this.
TEST(Flow, SurvivesCountsThatNoRunReaches) {
  for (uint64_t Count : {UINT64_C(1) << 63, ~UINT64_C(0), UINT64_C(1)}) {
    const FlowEdge Edges[] = {
        {0, 1, Count}, {1, 2, std::nullopt}, {2, 0, std::nullopt}};
    EXPECT_EQ(solveFlow(3, Edges).Counts.size(), 3u);
  }
  const FlowEdge Tops[] = {{0, 1, ~UINT64_C(0) >> 1},
                           {2, 1, ~UINT64_C(0) >> 1},
                           {1, 0, std::nullopt},
                           {1, 2, ~UINT64_C(0) >> 2}};
  EXPECT_EQ(solveFlow(3, Tops).Counts.size(), 4u);
}

} // namespace
