//===- FollowTest.cpp - Pages that follow a program that runs -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated programs, of which a sample is told, as the launcher does it. An
// oracle knows the whole of their traffic.
//
//===----------------------------------------------------------------------===//

#include "Numa/Plan/Follow.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

using namespace graupel::numa;

namespace {

Topology machine(unsigned Nodes) {
  Topology T;
  for (unsigned N = 0; N < Nodes; ++N) {
    T.Nodes.emplace_back();
    T.Nodes.back().Id = N;
    T.Nodes.back().Bytes = uint64_t(1) << 30;
    T.Processors.push_back({N, N});
  }
  EXPECT_FALSE(T.complete());
  return T;
}

uint64_t seed() {
  const char *Given = getenv("GRAUPEL_TEST_SEED");
  uint64_t Seed = Given ? strtoull(Given, nullptr, 10) : std::random_device()();
  printf("GRAUPEL_TEST_SEED=%llu\n", static_cast<unsigned long long>(Seed));
  return Seed;
}

/// Who uses a page in a phase: shares of nodes.
using Users = std::vector<double>;
using Phase = std::vector<Users>; ///< By page.

class Simulation {
public:
  Simulation(unsigned Nodes, size_t Pages, std::mt19937_64 &Random)
      : T(machine(Nodes)), F(Nodes), Random(Random), Homes(Pages) {}

  /// Slices in which each node makes so many bursts of the phase's traffic, a
  /// burst in a page. How much was remote.
  double run(const Phase &P, unsigned Slices, unsigned Bursts) {
    double Remote = 0;
    for (unsigned N = 0; N < Slices; ++N) {
      for (unsigned Burst = 0; Burst < Bursts * T.Nodes.size(); ++Burst)
        use(P, Random() % Homes.size());
      F.endSlice();
      for (size_t Page : F.takeNews())
        F.pages()[Page].Home = homeOf(F.addressOf(Page));
      for (const PageMove &M : chooseMoves(T, F.pages()).Pages) {
        Homes[F.addressOf(M.Page) / 4096 - First] = M.To;
        F.moved(M.Page, M.To, true);
        ++Moves;
      }
      Remote += remoteNow(P) / Slices;
    }
    return Remote;
  }
  /// Exactly, if it goes on as it is.
  double remoteNow(const Phase &P) const {
    double Remote = 0;
    for (size_t Page = 0; Page < Homes.size(); ++Page)
      Remote += 1 - P[Page][Homes[Page]];
    return Remote / double(Homes.size());
  }
  /// The best that any placement comes to.
  static double bestOf(const Phase &P) {
    double Remote = 0;
    for (const Users &U : P)
      Remote += 1 - *std::max_element(U.begin(), U.end());
    return Remote / double(P.size());
  }

  unsigned long Moves = 0;
  double BurstBytes = 1 << 20; ///< What a burst stands for.
  const Topology T;
  Follower F;

private:
  static constexpr uint64_t First = 0x7f0000000;
  int homeOf(uint64_t Address) const {
    uint64_t Page = Address / 4096 - First;
    return Page < Homes.size() ? int(Homes[Page]) : -1;
  }
  void use(const Phase &P, size_t Page) {
    double Which = std::uniform_real_distribution<>(0, 1)(Random);
    unsigned Node = 0;
    while (Node + 1 < T.Nodes.size() && Which >= P[Page][Node])
      Which -= P[Page][Node++];
    F.use((First + Page) * 4096, 0, Node, BurstBytes / 2, BurstBytes / 2);
  }

  std::mt19937_64 &Random;
  std::vector<unsigned> Homes;
};

Users only(unsigned Node, unsigned Nodes) {
  Users U(Nodes);
  U[Node] = 1;
  return U;
}

Phase phase(size_t Pages, unsigned Nodes,
            const std::function<unsigned(size_t)> &Owner) {
  Phase P;
  for (size_t Page = 0; Page < Pages; ++Page)
    P.push_back(only(Owner(Page) % Nodes, Nodes));
  return P;
}

Phase randomPhase(size_t Pages, unsigned Nodes, std::mt19937_64 &Random) {
  return phase(Pages, Nodes, [&](size_t) { return unsigned(Random()); });
}

Phase shared(size_t Pages, unsigned Nodes, double OwnersPart) {
  Phase P;
  for (size_t Page = 0; Page < Pages; ++Page) {
    P.emplace_back(Nodes, (1 - OwnersPart) / (Nodes - 1));
    P.back()[Page / 8 % Nodes] = OwnersPart;
  }
  return P;
}

/// Slices until no more than 5 % is remote beyond what has to be.
unsigned slicesUntilNear(Simulation &S, const Phase &P, unsigned Bursts) {
  for (unsigned N = 1; N <= 500; ++N) {
    S.run(P, 1, Bursts);
    if (S.remoteNow(P) <= Simulation::bestOf(P) + 0.05)
      return N;
  }
  return 1000;
}

//===--- Owners that change -----------------------------------------------===//

TEST(Follow, BlocksComeAfterAFewUses) {
  std::mt19937_64 Random(seed());
  auto First = phase(64, 4, [](size_t N) { return N / 16; });
  auto Second = phase(64, 4, [](size_t N) { return N / 16 + 1; });
  // 64 pages are seen once by 300 uses or so, and every other one by 44.
  for (unsigned Bursts : {2, 4, 16}) {
    Simulation S(4, 64, Random);
    EXPECT_LE(slicesUntilNear(S, First, Bursts), 200 / (4 * Bursts) + 3);
    S.run(First, 100, Bursts);
    EXPECT_LE(slicesUntilNear(S, Second, Bursts), 200 / (4 * Bursts) + 3);
    EXPECT_EQ(S.F.counts().Phases, 2u);
    EXPECT_GT(S.F.counts().Guessed, 0u);
  }
}

TEST(Follow, AnyOwnersAreFollowedToWhatAnOracleHas) {
  std::mt19937_64 Random(seed());
  for (unsigned Nodes : {2u, 4u, 8u})
    for (unsigned Times = 0; Times < 3; ++Times) {
      Simulation S(Nodes, 256, Random);
      for (unsigned Phases = 0; Phases < 3; ++Phases) {
        auto P = randomPhase(256, Nodes, Random);
        EXPECT_LE(S.run(P, 200, 64 / Nodes), 0.06) << Nodes << " nodes";
        EXPECT_LE(S.remoteNow(P), 0.02) << Nodes << " nodes";
      }
      EXPECT_LE(S.Moves, 4ul * 256);
    }
}

TEST(Follow, APhaseThatComesAgainIsKnownAtOnce) {
  std::mt19937_64 Random(seed());
  for (unsigned Nodes : {2u, 4u}) {
    Simulation S(Nodes, 512, Random);
    auto A = randomPhase(512, Nodes, Random),
         B = randomPhase(512, Nodes, Random);
    S.run(A, 300, 8);
    unsigned New = slicesUntilNear(S, B, 8);
    S.run(B, 300, 8);
    for (unsigned Times = 0; Times < 4; ++Times)
      for (const Phase *P : {&A, &B}) {
        // Without memory it takes several uses of each page.
        EXPECT_LE(slicesUntilNear(S, *P, 8), 64 / Nodes / 8 + 6);
        S.run(*P, 40, 8);
      }
    EXPECT_GT(New, 30u);
    EXPECT_EQ(S.F.counts().Phases, 10u);
    EXPECT_EQ(S.F.counts().Again, 8u);
  }
}

TEST(Follow, APhaseThatIsOverBeforePagesComeIsLeftAlone) {
  std::mt19937_64 Random(seed());
  Simulation S(4, 512, Random);
  S.BurstBytes = 512;
  auto A = randomPhase(512, 4, Random), B = randomPhase(512, 4, Random);
  S.run(A, 300, 16);
  S.run(B, 300, 16);
  for (unsigned Times = 0; Times < 40; ++Times) {
    S.run(A, 3, 16);
    S.run(B, 3, 16);
  }
  // Bringing all pages each time would be 80 x 384 moves.
  EXPECT_LE(S.Moves, 80ul * 150);
}

//===--- Owners that stay -------------------------------------------------===//

TEST(Follow, NobodysPagesSettle) {
  std::mt19937_64 Random(seed());
  for (unsigned Nodes : {2u, 4u})
    for (unsigned Bursts : {1u, 4u, 16u}) {
      Simulation S(Nodes, 256, Random);
      S.run(shared(256, Nodes, 1.0 / Nodes), 1000, Bursts);
      EXPECT_LE(S.F.counts().Phases, 8u) << "a few false alarms";
      // As many as are in vain before a page stays, at most.
      EXPECT_LE(S.Moves, 256ul * (MostVainMoves + 1));
    }
}

TEST(Follow, PagesThatMoveInVainStayInTheEnd) {
  std::mt19937_64 Random(seed());
  Simulation S(2, 32, Random);
  auto P = shared(32, 2, 0.5);
  S.run(P, 2000, 16);
  auto Before = S.Moves;
  S.run(P, 200, 16);
  EXPECT_LE(S.Moves - Before, 10u);
}

TEST(Follow, WhoMakesMostKeepsAPageInSpiteOfOthers) {
  std::mt19937_64 Random(seed());
  for (unsigned Nodes : {2u, 4u}) {
    Simulation S(Nodes, 256, Random);
    auto P = shared(256, Nodes, 0.75);
    S.run(P, 200, 16);
    EXPECT_LE(S.run(P, 200, 16), Simulation::bestOf(P) + 0.03);
    EXPECT_LE(S.Moves, 3ul * 256);
    EXPECT_EQ(S.F.counts().Phases, 1u);
  }
}

TEST(Follow, PagesBetweenAreOnlyGuessedWhereNeighborsGoTogether) {
  std::mt19937_64 Random(seed());
  Simulation Blocks(4, 512, Random), Turns(4, 512, Random);
  Blocks.run(phase(512, 4, [](size_t N) { return N / 128; }), 20, 4);
  Turns.run(phase(512, 4, [](size_t N) { return N; }), 20, 4);
  EXPECT_GT(Blocks.F.counts().Guessed, 200u);
  EXPECT_LE(Turns.F.counts().Guessed, 20u);
}

TEST(Follow, AFrozenPageMeltsWhenOthersUseItForLong) {
  Follower F(2);
  auto Use = [&](unsigned Node) {
    F.use(0x1000, 0, Node, 512, 0);
    F.endSlice();
    F.pages()[0].Home = 0;
  };
  Use(1);
  for (unsigned N = 0; N < MostVainMoves; ++N)
    F.moved(0, 1, false);
  const Topology T = machine(2);
  F.pages()[0].Home = 0;
  EXPECT_TRUE(chooseMoves(T, F.pages()).Pages.empty());
  for (unsigned N = 0; N < 60; ++N)
    Use(1);
  EXPECT_TRUE(chooseMoves(T, F.pages()).Pages.empty());
  for (unsigned N = 0; N < 10; ++N)
    Use(1);
  EXPECT_EQ(chooseMoves(T, F.pages()).Pages.size(), 1u);
}

//===--- Phases that come again -------------------------------------------===//

std::vector<Recurrence::Uses> uses(std::vector<int> Owners) {
  std::vector<Recurrence::Uses> U;
  for (int Owner : Owners)
    U.push_back({1000, 0, Owner});
  return U;
}

TEST(Recurrence, IsKnownByMostOfItsUses) {
  Recurrence R;
  R.begin();
  R.end(uses(std::vector<int>(20, 0)));
  R.begin();
  R.end(uses(std::vector<int>(20, 1)));
  R.begin();
  for (size_t Page = 0; Page < 5; ++Page)
    R.see(Page, 1, 1);
  EXPECT_EQ(R.recognized(), nullptr) << "five uses are too few";
  R.see(5, 0, 1);
  ASSERT_NE(R.recognized(), nullptr);
  EXPECT_EQ(R.recognized()->Pages[7].Owner, 1);
  R.begin();
  for (size_t Page = 0; Page < 10; ++Page)
    R.see(Page, Page % 2, 1);
  EXPECT_EQ(R.recognized(), nullptr) << "half of each is none";
}

TEST(Recurrence, TheOldestIsForgottenOfTooMany) {
  Recurrence R;
  for (int Owner = 0; Owner < 10; ++Owner) {
    R.begin();
    R.end(uses(std::vector<int>(10, Owner)));
  }
  auto IsKnown = [&](unsigned Owner) {
    R.begin();
    for (size_t Page = 0; Page < 10; ++Page)
      R.see(Page, Owner, 1);
    return R.recognized() != nullptr;
  };
  EXPECT_FALSE(IsKnown(0));
  EXPECT_FALSE(IsKnown(1));
  EXPECT_TRUE(IsKnown(2));
  EXPECT_TRUE(IsKnown(9));
}

} // namespace
