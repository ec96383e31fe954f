//===- unit/ClosestIsBestTest.cpp -----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Place/ClosestIsBest.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <numeric>

using namespace graupel;
using namespace graupel::test;

namespace {

using Order = std::vector<uint32_t>;

/// Parts {size, executed instructions} and edges {from, to, calls}.
ReferenceGraph graph(std::vector<std::array<uint64_t, 2>> Parts,
                     std::vector<std::array<uint64_t, 3>> Edges) {
  ReferenceGraph Graph;
  for (auto [Size, Count] : Parts)
    Graph.Parts.push_back({Size, Count});
  for (auto [Source, Target, Count] : Edges)
    Graph.Edges.push_back({static_cast<uint32_t>(Source),
                           static_cast<uint32_t>(Target), Count, 0});
  return Graph;
}

ReferenceGraph randomGraph(Random &R) {
  ReferenceGraph Graph;
  const uint64_t NumParts = 1 + R.below(40);
  for (uint64_t I = 0; I < NumParts; ++I)
    Graph.Parts.push_back({R.below(200), R.below(1000)});
  const uint64_t MaxCount = 1 + R.below(R.oneIn(2) ? 3 : 1000);
  for (uint64_t I = R.below(3 * NumParts); I; --I)
    Graph.Edges.push_back({static_cast<uint32_t>(R.below(NumParts)),
                           static_cast<uint32_t>(R.below(NumParts)),
                           R.below(MaxCount), R.below(50)});
  return Graph;
}

/// The calls between each pair of different parts, in both directions.
std::map<std::pair<uint32_t, uint32_t>, uint64_t>
callsBetween(const ReferenceGraph &Graph) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> Calls;
  for (const ReferenceGraph::Edge &Edge : Graph.Edges)
    if (Edge.Source != Edge.Target && Edge.Count)
      Calls[std::minmax({Edge.Source, Edge.Target})] += Edge.Count;
  return Calls;
}

TEST(ClosestIsBest, NoParts) {
  EXPECT_TRUE(placeClosestIsBest(ReferenceGraph()).empty());
}

TEST(ClosestIsBest, WithoutEdgesByDensity) {
  // Executed instructions per byte: 1, 10, 2.
  EXPECT_EQ(placeClosestIsBest(graph({{10, 10}, {10, 100}, {10, 20}}, {})),
            Order({1, 2, 0}));
}

TEST(ClosestIsBest, EqualDensityKeepsTheOriginalOrder) {
  EXPECT_EQ(placeClosestIsBest(graph({{1, 1}, {2, 2}, {3, 3}}, {})),
            Order({0, 1, 2}));
}

TEST(ClosestIsBest, HeaviestCallsBecomeNeighbors) {
  // 0 calls 1 rarely and 2 often.
  EXPECT_EQ(placeClosestIsBest(
                graph({{8, 9}, {8, 9}, {8, 9}}, {{0, 1, 5}, {0, 2, 50}})),
            Order({2, 0, 1}));
}

TEST(ClosestIsBest, DirectionDoesNotMatter) {
  EXPECT_EQ(placeClosestIsBest(
                graph({{8, 9}, {8, 9}, {8, 9}}, {{1, 0, 5}, {2, 0, 50}})),
            Order({2, 0, 1}));
}

TEST(ClosestIsBest, ParallelAndOppositeEdgesAddUp) {
  // 0-1 is the heaviest single edge, 0-2 the heaviest pair.
  EXPECT_EQ(placeClosestIsBest(
                graph({{8, 9}, {8, 9}, {8, 9}},
                      {{0, 1, 50}, {0, 2, 20}, {0, 2, 20}, {2, 0, 20}})),
            Order({2, 0, 1}));
}

TEST(ClosestIsBest, OrientationBringsTheEndsTogether) {
  // The lists {0 1} and {2 3} are joined by the edge 0-3: 1 0 3 2.
  EXPECT_EQ(placeClosestIsBest(graph({{8, 9}, {8, 9}, {8, 9}, {8, 9}},
                                     {{0, 1, 100}, {2, 3, 90}, {0, 3, 5}})),
            Order({1, 0, 3, 2}));
}

TEST(ClosestIsBest, TheHeaviestOriginalEdgeDecidesTheOrientation) {
  // Both 0-3 and 1-2 lead from one list to the other; 1-2 is heavier.
  EXPECT_EQ(placeClosestIsBest(
                graph({{8, 9}, {8, 9}, {8, 9}, {8, 9}},
                      {{0, 1, 100}, {2, 3, 90}, {0, 3, 5}, {1, 2, 6}})),
            Order({0, 1, 2, 3}));
}

TEST(ClosestIsBest, EdgesOfJoinedListsAddUp) {
  // 2 has 31 + 29 calls with {0 1}, more than with 4 or 3, which come after.
  EXPECT_EQ(placeClosestIsBest(graph(
                {{8, 9}, {8, 9}, {8, 9}, {8, 9}, {8, 9}},
                {{0, 1, 100}, {0, 2, 31}, {1, 2, 29}, {2, 4, 55}, {2, 3, 50}})),
            Order({1, 0, 2, 4, 3}));
}

TEST(ClosestIsBest, SizesDecideTheOrientation) {
  // 0 is in the middle of {1 0 2}; 2 is the smaller neighbor, so 3 goes there.
  const ReferenceGraph Graph = graph({{8, 9}, {500, 9}, {4, 9}, {8, 9}},
                                     {{0, 1, 100}, {0, 2, 90}, {0, 3, 5}});
  const Order Placed = placeClosestIsBest(Graph);
  EXPECT_TRUE(Placed == Order({1, 0, 2, 3}) || Placed == Order({3, 2, 0, 1}));
}

TEST(ClosestIsBest, RecursionIsIgnored) {
  EXPECT_EQ(placeClosestIsBest(
                graph({{8, 9}, {8, 9}, {8, 9}}, {{1, 1, 1000}, {0, 2, 1}})),
            Order({0, 2, 1}));
}

TEST(ClosestIsBest, EdgesThatNeverRanAreIgnored) {
  EXPECT_EQ(placeClosestIsBest(graph({{8, 1}, {8, 3}, {8, 2}}, {{0, 1, 0}})),
            Order({1, 2, 0}));
}

TEST(ClosestIsBest, DisconnectedListsAreOrderedByDensity) {
  // {0 1} has 1, {2 3} has 5 executed instructions per byte.
  EXPECT_EQ(placeClosestIsBest(graph({{10, 10}, {10, 10}, {10, 50}, {10, 50}},
                                     {{0, 1, 100}, {2, 3, 7}})),
            Order({2, 3, 0, 1}));
}

TEST(ClosestIsBest, PartsWithoutSize) {
  EXPECT_EQ(placeClosestIsBest(graph({{0, 0}, {0, 5}, {0, 0}}, {})),
            Order({1, 0, 2}));
}

TEST(ClosestIsBest, LargestCountsDoNotFallApart) {
  const uint64_t Half = ~0ull / 2;
  Order Placed = placeClosestIsBest(graph(
      {{8, 9}, {8, 9}, {8, 9}}, {{0, 1, Half}, {1, 0, Half}, {1, 2, Half}}));
  std::sort(Placed.begin(), Placed.end());
  EXPECT_EQ(Placed, Order({0, 1, 2}));
}

TEST(ClosestIsBestProperty, IsAPermutation) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const ReferenceGraph Graph = randomGraph(R);
    Order Placed = placeClosestIsBest(Graph);
    std::sort(Placed.begin(), Placed.end());
    Order All(Graph.Parts.size());
    std::iota(All.begin(), All.end(), 0);
    EXPECT_EQ(Placed, All);
  }
}

TEST(ClosestIsBestProperty, TheHeaviestPairIsAdjacent) {
  uint64_t Checked = 0;
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const ReferenceGraph Graph = randomGraph(R);
    uint64_t Most = 0, NumMost = 0;
    std::pair<uint32_t, uint32_t> Pair;
    for (const auto &[Parts, Calls] : callsBetween(Graph)) {
      NumMost = Calls > Most ? 1 : NumMost + (Calls == Most);
      if (Calls > Most) {
        Most = Calls;
        Pair = Parts;
      }
    }
    if (NumMost != 1)
      continue;
    const Order Placed = placeClosestIsBest(Graph);
    const auto A = std::find(Placed.begin(), Placed.end(), Pair.first);
    const auto B = std::find(Placed.begin(), Placed.end(), Pair.second);
    EXPECT_EQ(std::abs(A - B), 1);
    ++Checked;
  }
  if (numSeeds() > 1) {
    EXPECT_GT(Checked, 50u) << "too few graphs without a tie";
  }
}

TEST(ClosestIsBestProperty, PartsConnectedByCallsAreContiguous) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const ReferenceGraph Graph = randomGraph(R);
    // The component of each part: its smallest member.
    Order Component(Graph.Parts.size());
    std::iota(Component.begin(), Component.end(), 0);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const auto &[Parts, Calls] : callsBetween(Graph)) {
        uint32_t &A = Component[Parts.first], &B = Component[Parts.second];
        Changed |= A != B;
        A = B = std::min(A, B);
      }
    }
    std::vector<uint32_t> Seen;
    for (uint32_t Part : placeClosestIsBest(Graph))
      if (Seen.empty() || Seen.back() != Component[Part]) {
        EXPECT_EQ(std::count(Seen.begin(), Seen.end(), Component[Part]), 0);
        Seen.push_back(Component[Part]);
      }
  }
}

TEST(ClosestIsBestProperty, OrderOfTheEdgesDoesNotMatter) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    ReferenceGraph Graph = randomGraph(R);
    const Order First = placeClosestIsBest(Graph);
    EXPECT_EQ(First, placeClosestIsBest(Graph));
    for (size_t I = Graph.Edges.size(); I > 1; --I)
      std::swap(Graph.Edges[I - 1], Graph.Edges[R.below(I)]);
    EXPECT_EQ(First, placeClosestIsBest(Graph));
  }
}

} // namespace
