//===- PlacementTest.cpp - Sets, copies, ranges ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Placement/Ranges.h"
#include "Numa/Placement/Replicas.h"
#include "Numa/Placement/Sets.h"
#include "Numa/Topology/Readers.h"
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace graupel::numa;

namespace {

Topology described(const std::string &Text) {
  Topology T;
  auto Wrong = readDescription(Text, T);
  EXPECT_FALSE(Wrong) << *Wrong;
  return T;
}

/// `Count` nodes in a row or, if `Closed`, in a ring.
Topology row(unsigned Count, bool Closed = false) {
  std::string Text;
  for (unsigned N = 0; N < Count; ++N)
    Text += "node " + std::to_string(N) + " memory 1G processors " +
            std::to_string(N) + "\n";
  for (unsigned N = 0; N + 1 < Count + Closed; ++N)
    Text += "link node" + std::to_string(N) + " node" +
            std::to_string((N + 1) % Count) + "\n";
  return described(Text);
}

/// A node is a corner of a cube.
Topology cube(unsigned Dimensions) {
  std::string Text;
  for (unsigned N = 0; N < 1u << Dimensions; ++N) {
    Text += "node " + std::to_string(N) + " memory 1G\n";
    for (unsigned D = 0; D < Dimensions; ++D)
      if (!(N >> D & 1))
        Text += "link node" + std::to_string(N) + " node" +
                std::to_string(N | 1u << D) + "\n";
  }
  return described(Text);
}

SetWish wish(size_t Count, uint64_t Bytes = 1 << 20, unsigned Radius = 0) {
  SetWish W;
  W.Domains.assign(Count, {Bytes, Radius});
  return W;
}

TEST(Sets, DomainsGetDifferentNodesNearEachOther) {
  Topology T = row(8);
  SetWish W = wish(3);
  W.Placed = {1, 0, 0, 0, 0, 0, 0, 0}; // somebody is on node 0
  SetPlace P = placeSet(T, W);
  EXPECT_EQ(std::set<unsigned>(P.Centers.begin(), P.Centers.end()),
            (std::set<unsigned>{1, 2, 3}));
  EXPECT_TRUE(P.HasRoom);
}

TEST(Sets, MoreDomainsThanNodesShare) {
  SetPlace P = placeSet(row(2), wish(5));
  long OnFirst = std::count(P.Centers.begin(), P.Centers.end(), 0u);
  EXPECT_EQ(P.Centers.size(), 5u);
  EXPECT_TRUE(OnFirst == 2 || OnFirst == 3) << OnFirst;
}

TEST(Sets, DevicesAttract) {
  SetWish W = wish(2);
  W.Near = {7};
  SetPlace P = placeSet(row(8), W);
  EXPECT_EQ(std::set<unsigned>(P.Centers.begin(), P.Centers.end()),
            (std::set<unsigned>{6, 7}));
}

TEST(Sets, MemoryDecidesFirst) {
  Topology T = row(4);
  SetWish W = wish(2, 100);
  W.FreeBytes = {100, 10, 10, 100};
  SetPlace P = placeSet(T, W);
  EXPECT_TRUE(P.HasRoom);
  EXPECT_EQ(std::set<unsigned>(P.Centers.begin(), P.Centers.end()),
            (std::set<unsigned>{0, 3}));
  // With neighbors' memory 120 bytes are there, but not twice.
  W = wish(1, 115, 1);
  W.FreeBytes = {100, 10, 10, 50};
  EXPECT_TRUE(placeSet(T, W).HasRoom);
  W.Domains.push_back({115, 1});
  EXPECT_FALSE(placeSet(T, W).HasRoom);
}

TEST(Sets, CubesBecomeCubes) {
  SetWish W = wish(4);
  W.Wanted = Shape::Cube;
  Topology T = cube(3);
  SetPlace P = placeSet(T, W);
  EXPECT_TRUE(P.HasShape);
  for (unsigned D = 0; D < 4; ++D)
    for (unsigned Bit : {1u, 2u})
      EXPECT_EQ(T.classes().at(P.Centers[D], P.Centers[D ^ Bit]), 1);
  // A row has no square.
  EXPECT_FALSE(placeSet(row(4), W).HasShape);
}

TEST(Sets, ManyTuplesAreSearchedWell) {
  // 8 of 32: more than can be tried. A 3-cube in a 5-cube has 12 edges.
  SetWish W = wish(8);
  W.Wanted = Shape::Cube;
  Topology T = cube(5);
  SetPlace P = placeSet(T, W);
  double Edges = 0;
  for (unsigned A = 0; A < 8; ++A)
    for (unsigned Bit : {1u, 2u, 4u})
      Edges += T.classes().at(P.Centers[A], P.Centers[A ^ Bit]) / 2;
  EXPECT_LE(Edges, 14) << "the best is 12";
}

TEST(Replicas, EachReaderHasOneNear) {
  Topology T = row(7);
  std::vector<unsigned> All(7);
  std::iota(All.begin(), All.end(), 0u);
  for (unsigned Radius = 0; Radius < 7; ++Radius) {
    Cover C = coverReaders(T, All, Radius);
    for (unsigned R : All)
      EXPECT_LE(T.classes().at(R, C.ReadsFrom[R]), Radius);
    EXPECT_EQ(C.Holders.size(), Radius == 0   ? 7u
                                : Radius == 1 ? 3u
                                : Radius == 2 ? 2u
                                              : unsigned(C.Holders.size()));
  }
  EXPECT_EQ(coverReaders(T, All, 6).Holders.size(), 1u);
  EXPECT_EQ(coverReaders(T, {4}, 0).Holders, (std::vector<unsigned>{4}));
}

TEST(Replicas, NodesWithoutMemoryHoldNone) {
  Topology T = described("node 0 memory 1G\nnode 1 processors 0\nnode 2 memory "
                         "1G\ndistance 0 1 20\ndistance 1 2 15\n");
  Cover C = coverReaders(T, {1}, 0);
  EXPECT_EQ(C.Holders, (std::vector<unsigned>{2}));
  EXPECT_EQ(C.ReadsFrom[1], 2u);
}

Policy on(unsigned Node) {
  return {PolicyKind::Fixed, {Node}, {1}, 4096, false};
}

TEST(Ranges, TheSmallestHolds) {
  Ranges R;
  R.attach(0x3000, 0x5000, on(1));
  R.attach(0x1000, 0x9000, on(0)); // later, but larger
  auto P = R.pieces(0x1000, 0x9000);
  ASSERT_EQ(P.size(), 3u);
  EXPECT_EQ(P[0].Holder->Rule.Nodes[0], 0u);
  EXPECT_EQ(P[1].Holder->Rule.Nodes[0], 1u);
  EXPECT_EQ(P[1].Start, 0x3000u);
  EXPECT_EQ(P[2].Start, 0x5000u);
  R.attach(0x3000, 0x5000, on(2)); // of the same size: the latest
  EXPECT_EQ(R.pieces(0x3000, 0x4000)[0].Holder->Rule.Nodes[0], 2u);
  R.detach(0x3000, 0x5000);
  P = R.pieces(0, 0xa000);
  ASSERT_EQ(P.size(), 3u);
  EXPECT_EQ(P[0].Holder, nullptr);
  EXPECT_EQ(P[1].Holder->Rule.Nodes[0], 0u);
  EXPECT_EQ(P[2].Holder, nullptr);
}

TEST(Ranges, ReleasedMemoryLeavesTheRest) {
  Ranges R;
  R.attach(0x1000, 0x9000, on(0));
  R.release(0x3000, 0x5000);
  auto P = R.pieces(0x1000, 0x9000);
  ASSERT_EQ(P.size(), 3u);
  EXPECT_NE(P[0].Holder, nullptr);
  EXPECT_EQ(P[1].Holder, nullptr);
  ASSERT_NE(P[2].Holder, nullptr);
  EXPECT_EQ(P[2].Holder->Start, 0x5000u);
  EXPECT_EQ(P[2].Holder->Origin, 0x1000u) << "units are counted as before";
}

TEST(Ranges, WeightsTakeTurns) {
  Policy P{PolicyKind::RoundRobin, {2, 0, 5}, {1, 3, 2}, 4096, false};
  std::vector<unsigned> Got;
  for (uint64_t Unit = 0; Unit < 8; ++Unit)
    Got.push_back(P.nodeOfUnit(Unit));
  EXPECT_EQ(Got, (std::vector<unsigned>{2, 0, 0, 0, 5, 5, 2, 0}));
}

} // namespace
