//===- PlanTest.cpp - Plans for synthetic traffic and machines ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Plan/Plan.h"
#include "Numa/Plan/Moves.h"
#include "Numa/Plan/Phases.h"
#include "Numa/Plan/Threads.h"
#include "Numa/Topology/Readers.h"
#include "gtest/gtest.h"
#include <functional>

using namespace graupel::numa;

namespace {

/// Nodes with a processor each; 0 and 1, 2 and 3 are neighbors.
Topology machine(unsigned Nodes, const std::string &Memory = "1G",
                 unsigned Processors = 1) {
  std::string Text;
  for (unsigned N = 0; N < Nodes; ++N)
    Text += "node " + std::to_string(N) + " memory " + Memory + " processors " +
            std::to_string(N * Processors) + "-" +
            std::to_string(N * Processors + Processors - 1) + "\n";
  for (unsigned A = 0; A < Nodes; ++A)
    for (unsigned B = A + 1; B < Nodes; ++B)
      Text += "distance " + std::to_string(A) + " " + std::to_string(B) +
              (A / 2 == B / 2 ? " 16\n" : " 24\n");
  Topology T;
  auto Wrong = readDescription(Text, T);
  EXPECT_FALSE(Wrong) << *Wrong;
  return T;
}

constexpr uint64_t Base = 0x10000000;

/// A heap object of one block; `UsesOf` says who uses a page.
DataTraffic object(const std::string &Name, unsigned Pages,
                   const std::function<std::vector<Use>(unsigned)> &UsesOf,
                   unsigned First = 0) {
  DataTraffic D;
  D.Storage = DataTraffic::Heap;
  D.Name = Name;
  D.Place = Name + ".c:1";
  D.Blocks = 1;
  for (unsigned N = 0; N < Pages; ++N)
    D.Pages.push_back({Base + N * PlanPageBytes, N, First, UsesOf(N)});
  return D;
}

Traffic traffic(unsigned Threads, std::vector<DataTraffic> Objects) {
  Traffic Of;
  Of.Program = "program";
  Of.Threads = Threads;
  Of.Objects = std::move(Objects);
  return Of;
}

Plan planFor(const Topology &T, const Traffic &Of,
             const std::vector<unsigned> &Threads = {}) {
  return makePlan(T, Of, capacitiesOf(T), Threads);
}

std::string howOf(const Topology &T, const Plan &P, size_t N = 0) {
  return P.Data[N].Placement.text(T);
}

const std::vector<unsigned> OneEach = {0, 1, 2, 3};

//===--- Threads ----------------------------------------------------------===//

TEST(Threads, ThatShareAreNear) {
  // 0 with 3, 1 with 2.
  auto T = machine(4);
  auto Of = traffic(4, {object("a", 8, [](unsigned N) {
                      return N % 2
                                 ? std::vector<Use>{{0, 1000, 0}, {3, 1000, 0}}
                                 : std::vector<Use>{{1, 1000, 0}, {2, 900, 0}};
                    })});
  auto Nodes = placeThreads(T, Of);
  EXPECT_EQ(Nodes[0] / 2, Nodes[3] / 2);
  EXPECT_EQ(Nodes[1] / 2, Nodes[2] / 2);
  EXPECT_NE(Nodes[0] / 2, Nodes[1] / 2);
}

TEST(Threads, FillAllNodesEvenly) {
  for (unsigned Count : {4u, 5u, 8u, 24u}) {
    auto T = machine(4, "1G", 2);
    auto Of = traffic(Count, {object("a", Count, [](unsigned N) {
                        return std::vector<Use>{{N, 100, 0}};
                      })});
    std::vector<unsigned> On(4);
    for (unsigned Node : placeThreads(T, Of))
      ++On[Node];
    for (unsigned Each : On) {
      EXPECT_GE(Each, Count / 4) << Count;
      EXPECT_LE(Each, (Count + 3) / 4) << Count;
    }
  }
}

TEST(Threads, ThatDoLittleKeepNobodyFromANode) {
  auto T = machine(4);
  auto Of = traffic(5, {object("a", 4, [](unsigned N) {
                      return std::vector<Use>{{0, 0, 10}, {N + 1, 1000, 0}};
                    })});
  auto Nodes = placeThreads(T, Of);
  EXPECT_EQ(std::vector<unsigned>(Nodes.begin() + 1, Nodes.end()), OneEach);
}

TEST(Threads, EqualOnesKeepTheirOrder) {
  auto T = machine(4);
  auto Of = traffic(4, {object("a", 4, [](unsigned N) {
                      return std::vector<Use>{{N, 100, 100}};
                    })});
  EXPECT_EQ(placeThreads(T, Of), OneEach);
}

//===--- Data -------------------------------------------------------------===//

TEST(Plan, PartsGoToTheirOwners) {
  auto T = machine(4);
  auto P = planFor(T,
                   traffic(4, {object("grid", 64,
                                      [](unsigned N) {
                                        return std::vector<Use>{
                                            {0, 0, 50}, {N / 16, 4000, 4000}};
                                      })}),
                   OneEach);
  EXPECT_EQ(howOf(T, P), "block over nodes 0-3");
  EXPECT_NEAR(P.Before.Remote / P.Bytes, 0.75, 0.01);
  EXPECT_LT(P.After.Remote / P.Bytes, 0.01);
  for (const std::string &Not : P.Data[0].WhyNot)
    EXPECT_EQ(Not.find("Not block over nodes 0-3:"), Not.npos) << Not;
}

TEST(Plan, CyclesAreRoundRobin) {
  auto T = machine(4);
  auto P = planFor(T,
                   traffic(4, {object("matrix", 64,
                                      [](unsigned N) {
                                        return std::vector<Use>{
                                            {N / 2 % 4, 4000, 0}};
                                      })}),
                   OneEach);
  EXPECT_EQ(howOf(T, P), "round-robin over nodes 0-3 unit 8K");
  EXPECT_EQ(P.After.Remote, 0);
}

TEST(Plan, UnequalPartsAreStretches) {
  auto T = machine(2);
  auto P = planFor(T,
                   traffic(2, {object("a", 64,
                                      [](unsigned N) {
                                        return std::vector<Use>{
                                            {N >= 10 && N < 50, 4000, 0}};
                                      })}),
                   {0, 1});
  EXPECT_EQ(howOf(T, P),
            "round-robin over nodes 0-1,0 weights 10,40,14 unit 4K");
}

TEST(Plan, WhatIsRightStays) {
  auto T = machine(2);
  auto P = planFor(T,
                   traffic(2, {object("a", 8,
                                      [](unsigned) {
                                        return std::vector<Use>{{0, 4000, 0}};
                                      })}),
                   {0, 1});
  EXPECT_EQ(howOf(T, P), "first-touch");
  EXPECT_EQ(placementText(T,
                          traffic(2, {object("a", 8,
                                             [](unsigned) {
                                               return std::vector<Use>{
                                                   {0, 4000, 0}};
                                             })}),
                          P)
                .find("place"),
            std::string::npos);
}

/// All threads use all: near one of them is as near as possible, but its node
/// would serve all.
TEST(Plan, CongestionComesBeforeDistance) {
  auto T = machine(4);
  auto Of =
      traffic(4, {object("shared", 64, [](unsigned) {
                return std::vector<Use>{
                    {0, 1200, 0}, {1, 1000, 900}, {2, 1000, 0}, {3, 1000, 0}};
              })});
  auto P = planFor(T, Of, OneEach);
  EXPECT_EQ(howOf(T, P), "interleave over nodes 0-3");
  for (size_t N = 0; N < 4; ++N)
    EXPECT_LE(P.After.Served[N], P.Limits[N]);
  bool Said = false;
  for (const std::string &Not : P.Data[0].WhyNot)
    Said |= Not.find("would serve too much") != std::string::npos;
  EXPECT_TRUE(Said);
}

/// Nobody is served better if a lone thread's data are spread.
TEST(Plan, ALoneThreadKeepsItsData) {
  auto T = machine(4);
  auto P = planFor(T,
                   traffic(1, {object("a", 64,
                                      [](unsigned) {
                                        return std::vector<Use>{{0, 4000, 0}};
                                      })}),
                   {2});
  EXPECT_EQ(howOf(T, P), "first-touch");
}

TEST(Plan, CapacityComesBeforeCongestion) {
  auto T = machine(2);
  auto Of = traffic(
      2, {object(
             "a", 64, [](unsigned) { return std::vector<Use>{{1, 4000, 0}}; },
             /*First=*/0)});
  EXPECT_EQ(howOf(T, planFor(T, Of, {0, 1})), "on node 1");
  // Node 1 has memory for half of it.
  auto P = makePlan(T, Of, {1e9, 32.0 * PlanPageBytes}, {0, 1});
  EXPECT_LE(P.After.Held[1], 32.0 * PlanPageBytes);
  EXPECT_TRUE(P.Notes.empty());
  // Nobody has.
  EXPECT_FALSE(makePlan(T, Of, {1e5, 1e5}, {0, 1}).Notes.empty());
}

TEST(Plan, OfEqualNodesTheLowest) {
  auto T = machine(4);
  auto Of =
      traffic(4, {object("a", 4,
                         [](unsigned) {
                           return std::vector<Use>{{2, 1000, 0}, {3, 1000, 0}};
                         }),
                  object("b", 64, [](unsigned N) {
                    return std::vector<Use>{{N % 4, 4000, 0}};
                  })});
  auto P = planFor(T, Of, OneEach);
  EXPECT_EQ(howOf(T, P, 1), "on node 2");
}

TEST(Plan, ReadMostlyIsReplicatedIfTheProgramCan) {
  auto T = machine(4);
  auto Of = traffic(4, {object("table", 64, [](unsigned N) {
                      return std::vector<Use>{{0, 1000, N == 5 ? 50u : 0u},
                                              {1, 1000, 0},
                                              {2, 1000, 0},
                                              {3, 1000, 0}};
                    })});
  auto P = planFor(T, Of, OneEach);
  EXPECT_EQ(howOf(T, P), "interleave over nodes 0-3");
  EXPECT_NE(P.Data[0].WhyNot.back().find("graupel-numa.cfg"),
            std::string::npos);
  Of.ReadsCopies = true;
  P = planFor(T, Of, OneEach);
  EXPECT_EQ(howOf(T, P), "replicate");
  EXPECT_EQ(P.After.Remote, 0);
  EXPECT_EQ(P.After.Held[3], 64.0 * PlanPageBytes);
}

/// 64 pages whose owners change.
Traffic inTwoPhases() {
  auto UsesIn = [](unsigned Phase, unsigned N) {
    return std::vector<Use>{{(N / 16 + Phase) % 4, 400000, 0}};
  };
  auto Of = traffic(4, {object("a", 64, [&](unsigned N) {
                      auto Both = UsesIn(0, N);
                      Both.push_back(UsesIn(1, N)[0]);
                      return Both;
                    })});
  for (unsigned Phase : {0u, 1u}) {
    PhaseTraffic Each;
    Each.Begin = Phase * 100;
    auto In = object("a", 64, [&](unsigned N) { return UsesIn(Phase, N); });
    Each.Pages = {In.Pages};
    Of.Phases.push_back(Each);
  }
  return Of;
}

TEST(Plan, PhasesMovePagesWhereAFunctionTells) {
  auto T = machine(4);
  auto Of = inTwoPhases();
  auto P = planFor(T, Of, OneEach);
  EXPECT_TRUE(P.Data[0].Changes.empty());
  EXPECT_NE(P.Data[0].WhyNot.back().find("no function"), std::string::npos);
  Of.Phases[1].Function = "second";
  P = planFor(T, Of, OneEach);
  ASSERT_EQ(P.Data[0].Changes.size(), 1u);
  EXPECT_EQ(howOf(T, P), "block over nodes 0-3");
  EXPECT_NE(placementText(T, Of, P).find(
                "at second place heap a.c:1 block over nodes 1-3,0\n"),
            std::string::npos);
}

TEST(Plan, ADescriptionNeedNotSayHowMuchMemoryThereIs) {
  Topology T;
  auto Wrong = readDescription("node 0 processors 0\nnode 1 processors 1\n"
                               "node 2 processors 2\nnode 3 processors 3\n",
                               T);
  ASSERT_FALSE(Wrong) << *Wrong;
  EXPECT_EQ(T.nodesWithMemory(), OneEach);
  auto Of = inTwoPhases();
  Of.Phases[1].Function = "second";
  auto P = planFor(T, Of, OneEach);
  EXPECT_EQ(howOf(T, P), "block over nodes 0-3");
  EXPECT_EQ(P.Data[0].Changes.size(), 1u);
  EXPECT_TRUE(P.Notes.empty()) << P.Notes[0];
}

TEST(Plan, OneNodeHasNothingToChoose) {
  auto T = machine(1);
  auto Of = traffic(2, {object("a", 8, [](unsigned N) {
                      return std::vector<Use>{{N % 2, 4000, 0}};
                    })});
  auto P = planFor(T, Of);
  EXPECT_EQ(P.After.Remote, 0);
  EXPECT_EQ(P.Notes.size(), 1u);
}

TEST(Plan, NothingRecordedIsNoError) {
  auto T = machine(4);
  auto P = planFor(T, traffic(0, {}));
  EXPECT_TRUE(P.Data.empty());
  EXPECT_EQ(P.Bytes, 0);
}

//===--- Phases -----------------------------------------------------------===//

std::vector<SliceUse> slice(unsigned Shift) {
  std::vector<SliceUse> S;
  for (unsigned N = 0; N < 64; ++N)
    S.push_back({N, (N / 16 + Shift) % 4, 1000});
  return S;
}

TEST(Phases, BeginWhereOwnersChange) {
  std::vector<std::vector<SliceUse>> Slices;
  for (unsigned N = 0; N < 30; ++N)
    Slices.push_back(slice(N / 10));
  auto Of = findPhases(Slices);
  for (unsigned N = 0; N < 30; ++N)
    EXPECT_EQ(Of[N], N / 10) << N;
}

TEST(Phases, ShortTimesAreNone) {
  std::vector<std::vector<SliceUse>> Slices(40, slice(0));
  Slices[0] = slice(1);
  Slices[20] = slice(2);
  for (size_t Phase : findPhases(Slices))
    EXPECT_EQ(Phase, 0u);
  EXPECT_TRUE(findPhases({}).empty());
}

//===--- Moves ------------------------------------------------------------===//

RecentPage recent(int Home, std::vector<double> Loads,
                  std::vector<double> Stores = {0, 0}) {
  RecentPage P;
  P.Home = Home;
  P.Loads = std::move(Loads);
  P.Stores = std::move(Stores);
  return P;
}

TEST(Moves, FollowOwnersBeyondTheThreshold) {
  auto T = machine(2);
  auto M = chooseMoves(T, {recent(0, {10, 90}), recent(0, {50, 52}),
                           recent(1, {0, 10}), recent(-1, {0, 100})});
  ASSERT_EQ(M.Pages.size(), 1u);
  EXPECT_EQ(M.Pages[0].Page, 0u);
  EXPECT_EQ(M.Pages[0].To, 1u);
}

TEST(Moves, PagesThatMoveToAndFroStay) {
  auto T = machine(2);
  auto P = recent(0, {0, 100});
  P.Moves = 8;
  EXPECT_TRUE(chooseMoves(T, {P}).Pages.empty());
}

TEST(Moves, SharedPagesLeaveACongestedNode) {
  auto T = machine(2);
  std::vector<RecentPage> Pages(20, recent(0, {50, 50}));
  auto M = chooseMoves(T, Pages);
  EXPECT_GE(M.Pages.size(), 7u);
  EXPECT_LE(M.Pages.size(), 12u);
}

TEST(Moves, WhatManyReadWantsCopies) {
  auto T = machine(2);
  auto Read = recent(0, {50, 50});
  Read.CanBeCopied = true;
  auto Written = recent(0, {50, 50}, {0, 20});
  Written.CanBeCopied = true;
  EXPECT_EQ(chooseMoves(T, {Read, Written}).Copies, std::vector<size_t>{0});
}

} // namespace
