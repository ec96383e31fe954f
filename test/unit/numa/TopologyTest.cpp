//===- TopologyTest.cpp - Nodes, distances, links, routes -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Topology/Readers.h"
#include "Numa/Topology/Routes.h"
#include "Numa/Topology/Text.h"
#include <bit>
#include <gtest/gtest.h>

using namespace graupel::numa;

namespace {

Topology described(const std::string &Text) {
  Topology T;
  auto Wrong = readDescription(Text, T);
  EXPECT_FALSE(Wrong) << *Wrong;
  return T;
}

std::string wrongIn(const std::string &Text) {
  Topology T;
  return readDescription(Text, T).value_or("");
}

/// Nodes 2k and 2k+1 are on router k; routers are the corners of a cube.
std::string hypercube(unsigned Dimensions) {
  std::string Text;
  unsigned Routers = 1u << Dimensions;
  for (unsigned N = 0; N < 2 * Routers; ++N)
    Text += "node " + std::to_string(N) + " memory 1G processors " +
            std::to_string(N) + "\n";
  for (unsigned R = 0; R < Routers; ++R) {
    Text += "router " + std::to_string(R) + "\n";
    for (unsigned N : {2 * R, 2 * R + 1})
      Text += "link node" + std::to_string(N) + " router" + std::to_string(R) +
              "\n";
    for (unsigned D = 0; D < Dimensions; ++D)
      if (!(R & (1u << D)))
        Text += "link router" + std::to_string(R) + " router" +
                std::to_string(R | (1u << D)) + "\n";
  }
  return Text;
}

TEST(Topology, HypercubeHasThePublishedHops) {
  // (Prestor 2001, 4.3): from a node of 32, as many nodes at each hop.
  Topology T = described(hypercube(4));
  ASSERT_EQ(T.Nodes.size(), 32u);
  std::vector<unsigned> Population(6);
  Routes R(T);
  for (unsigned N = 0; N < 32; ++N) {
    unsigned Apart = unsigned(std::popcount((1u >> 1) ^ (N >> 1)));
    int Hops = N == 1 ? 0 : int(1 + Apart);
    // On the way are the routers, one more than links between them.
    EXPECT_EQ(R.hops(1, N), N == 1 ? 0 : Hops + 1);
    EXPECT_EQ(T.classes().at(1, N), Hops);
    ++Population[unsigned(Hops)];
  }
  EXPECT_EQ(Population, (std::vector<unsigned>{1, 1, 8, 12, 8, 2}));
}

TEST(Topology, RoutesAreTheSameEachTimeAndShortest) {
  Topology T = described(hypercube(3));
  Routes R(T), Again(T);
  for (unsigned A = 0; A < T.vertices(); ++A)
    for (unsigned B = 0; B < T.vertices(); ++B) {
      auto Way = R.between(A, B);
      ASSERT_FALSE(Way.empty());
      EXPECT_EQ(Way.front(), A);
      EXPECT_EQ(Way.back(), B);
      EXPECT_EQ(Way, Again.between(A, B));
      EXPECT_EQ(R.hops(A, B), R.hops(B, A));
    }
}

TEST(Topology, LinksFollowFromDistances) {
  // A ring of four: neighbors at 20, opposite corners at 30.
  Topology T = described("node 0\nnode 1\nnode 2\nnode 3\n"
                         "distance 0 1 20\ndistance 1 2 20\ndistance 2 3 20\n"
                         "distance 3 0 20\ndistance 0 2 30\ndistance 1 3 30\n");
  EXPECT_TRUE(T.LinksGuessed);
  EXPECT_EQ(T.Links.size(), 4u);
  Routes R(T);
  EXPECT_EQ(R.between(0, 2), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(T.within(0, 1), (std::vector<unsigned>{0, 1, 3}));
  EXPECT_EQ(T.within(3, 0), (std::vector<unsigned>{3}));
  EXPECT_EQ(T.within(3, 2), (std::vector<unsigned>{3, 0, 2, 1}));
}

TEST(Topology, GuessedLinksAlwaysConnect) {
  for (unsigned Seed = 1; Seed <= 50; ++Seed) {
    uint32_t State = Seed;
    unsigned Count = 2 + Seed % 9;
    std::string Text;
    for (unsigned N = 0; N < Count; ++N)
      Text += "node " + std::to_string(N) + "\n";
    for (unsigned A = 0; A < Count; ++A)
      for (unsigned B = 0; B < Count; ++B) {
        State = State * 1664525 + 1013904223;
        if (A != B)
          Text += "distance " + std::to_string(A) + " " + std::to_string(B) +
                  " " + std::to_string(11 + (State >> 24) % 5) + "\n";
      }
    Topology T = described(Text);
    Routes R(T);
    for (unsigned A = 0; A < Count; ++A)
      for (unsigned B = 0; B < Count; ++B)
        EXPECT_GE(R.hops(A, B), A == B ? 0 : 1) << "seed " << Seed;
  }
}

TEST(Topology, DistancesOneWayHoldForBothUnlessBothAreSaid) {
  Topology T = described("distance 0 1 15\nnode 0\nnode 1\nnode 2\n"
                         "distance 1 2 17\ndistance 2 1 18\n");
  EXPECT_EQ(T.Firmware->at(1, 0), 15);
  EXPECT_EQ(T.Firmware->at(1, 2), 17);
  EXPECT_EQ(T.Firmware->at(2, 1), 18);
}

TEST(Topology, OneNodeIsAMachine) {
  Topology T = described("node 3 processors 0-3\n");
  EXPECT_EQ(T.classes().at(0, 0), 0);
  EXPECT_EQ(T.within(0, 5), (std::vector<unsigned>{0}));
  EXPECT_EQ(T.nodeOfProcessor(2), 0u);
  EXPECT_FALSE(T.nodeOfProcessor(4));
  EXPECT_FALSE(T.gaps().empty());
}

TEST(Topology, RefusesWhatMakesNoSense) {
  EXPECT_NE(wrongIn("").find("no node"), std::string::npos);
  EXPECT_NE(wrongIn("node 64").find("0 to 63"), std::string::npos);
  EXPECT_NE(wrongIn("node 0\nnode 0").find("line 2: node 0 is described twice"),
            std::string::npos);
  EXPECT_NE(wrongIn("node 0 processors 1-2\nnode 1 processors 2")
                .find("processor 2 is described twice"),
            std::string::npos);
  EXPECT_NE(wrongIn("node 0\nnode 1\ndistance 0 1 10").find("greater"),
            std::string::npos);
  EXPECT_NE(wrongIn("node 0\nnode 1\nrouter 0\nlink node0 router0")
                .find("no links lead from node 0 to node 1"),
            std::string::npos);
  EXPECT_NE(wrongIn("node 0\nlink node0 node7").find("there is no `node7`"),
            std::string::npos);
  EXPECT_NE(wrongIn("node 0 memory").find("`memory` has no value"),
            std::string::npos);
  EXPECT_NE(wrongIn("nodes 4").find("`nodes` is no statement"),
            std::string::npos);
}

TEST(Topology, SyntheticHasNodesAndProcessors) {
  Topology T;
  auto Wrong = readHwlocSynthetic("pack:2 [numa] core:4 pu:2", T);
  ASSERT_FALSE(Wrong) << *Wrong;
  ASSERT_EQ(T.Nodes.size(), 2u);
  EXPECT_EQ(formatList(T.processorsOf(1)), "8-15");
  EXPECT_EQ(T.Nodes[1].Path, "/machine/package1/node1");
}

TEST(Topology, Lists) {
  EXPECT_EQ(*parseList("0-2,5\n"), (std::vector<unsigned>{0, 1, 2, 5}));
  EXPECT_TRUE(parseList("")->empty());
  for (const char *Bad : {"3-1", "a", "1,", "1-", "0-99999999", "-1"})
    EXPECT_FALSE(parseList(Bad)) << Bad;
  EXPECT_EQ(formatList({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(*parseBytes("3KiB"), 3072u);
  EXPECT_EQ(*parseBytes("2G"), 2ull << 30);
  for (const char *Bad : {"", "K", "1X", "1KiX", "99999999999T"})
    EXPECT_FALSE(parseBytes(Bad)) << Bad;
}

} // namespace
