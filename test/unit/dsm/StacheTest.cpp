//===- unit/dsm/StacheTest.cpp - Stache, by chance and by script ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StacheSim.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace graupel::test;

namespace {

// --- By chance --------------------------------------------------------------

/// Faults to simulate; GRAUPEL_TEST_DSM_TRANSACTIONS=N for a longer run, and
/// GRAUPEL_TEST_SEED=N for the machine of one seed.
uint64_t transactions() {
  const char *Given = std::getenv("GRAUPEL_TEST_DSM_TRANSACTIONS");
  return Given ? std::strtoull(Given, nullptr, 10) : 1'000'000;
}

// The simulation ends the process with a message if anything is wrong.
TEST(StacheFuzz, RandomMachinesAndPrograms) {
  uint64_t Faults = 0, Machines = 0, Holds = 0, Handshakes = 0, Deferred = 0,
           Stalled = 0, Elected = 0, Duplicates = 0;
  unsigned AtATime = 0, InFlight = 0;
  bool One = std::getenv("GRAUPEL_TEST_SEED");
  for (uint64_t Seed = firstSeed(); Faults < transactions(); ++Seed) {
    StacheSim S(randomOptions(Seed));
    S.run(1500);
    S.checkQuiet();
    ++Machines;
    Faults += S.Faults;
    Holds += S.Holds;
    AtATime = std::max(AtATime, S.MostAtATime);
    InFlight = std::max(InFlight, S.MostInFlight);
    Handshakes += S.Handshakes;
    Duplicates += S.Spurious;
    for (int I = 0; I < S.Options.Nodes; ++I) {
      Deferred += S.counts(I).Deferred;
      Stalled += S.counts(I).Stalled;
      Elected += S.counts(I).Elected;
    }
    if (One)
      break;
  }
  std::printf(
      "%lu transactions on %lu machines from seed %lu: %lu sets held, "
      "%lu events stalled, %lu requests deferred, %lu waits for threads, "
      "%lu duplicate faults, %lu homes elected; at most %u faults of a thread "
      "and %u messages between two nodes at a time\n",
      Faults, Machines, firstSeed(), Holds, Stalled, Deferred, Handshakes,
      Duplicates, Elected, AtATime, InFlight);
  if (One || transactions() < 1'000'000)
    return;
  // What is claimed to be covered happened.
  EXPECT_GT(Holds, 1000u);
  EXPECT_GT(Stalled, 100u);
  EXPECT_GT(Deferred, 1000u);
  EXPECT_GT(Handshakes, 1000u);
  EXPECT_GT(Duplicates, 1000u);
  EXPECT_GT(Elected, 50u);
  EXPECT_EQ(AtATime, unsigned(TEMPEST_MAX_FAULTS));
  EXPECT_GT(InFlight, 32u);
}

// --- By script: messages (Schoinas 1998, table 4.6) -------------------------

SimOptions machine(int Nodes, int Home, uint32_t Block = 128) {
  SimOptions O;
  O.Nodes = Nodes;
  O.Homes = {Home};
  O.Block = Block;
  O.Pages = 8;
  return O;
}

void touchAll(StacheSim &S) {
  for (int I = 0; I < S.Options.Nodes; ++I)
    S.load(I, S.page(0));
}

// lu: what home has written is read by all; one request and one answer each.
TEST(StacheMessages, BroadcastFromHome) {
  StacheSim S(machine(8, 0));
  constexpr unsigned Blocks = 16;
  for (unsigned B = 0; B < Blocks; ++B)
    S.store(0, S.page(0) + B * 128);
  EXPECT_EQ(S.Control + S.Data, 0u);
  for (int Reader = 1; Reader < 8; ++Reader)
    for (unsigned B = 0; B < Blocks; ++B)
      for (int Again = 0; Again < 3; ++Again)
        S.load(Reader, S.page(0) + B * 128 + unsigned(Again) * 8);
  EXPECT_EQ(S.Control, 7 * Blocks);
  EXPECT_EQ(S.Data, 7 * Blocks);
  EXPECT_EQ(S.counts(3).GetRO, Blocks);
  EXPECT_EQ(S.counts(3).LoadFaults, Blocks);
  EXPECT_EQ(S.counts(3).StoreFaults, 0u);
}

// em3d: the producer is home; three control messages and one with data for each
// consumer, block and iteration; one store fault however many consumers.
TEST(StacheMessages, ProducerAtHome) {
  StacheSim S(machine(3, 0));
  uintptr_t A = S.page(0);
  touchAll(S);
  S.resetCounts();
  constexpr unsigned Iterations = 10;
  auto Before = S.counts(0);
  for (unsigned I = 0; I < Iterations; ++I) {
    S.store(0, A);
    S.load(1, A);
    S.load(2, A);
  }
  EXPECT_EQ(S.Data, 2 * Iterations);
  EXPECT_EQ(S.Control, 3 * S.Data);
  EXPECT_EQ(S.counts(0).InvalidateRO - Before.InvalidateRO, 2 * Iterations);
  EXPECT_EQ(S.counts(0).StoreFaults - Before.StoreFaults, Iterations);
  EXPECT_EQ(S.counts(1).GetRO, Iterations + 1);
}

// moldyn, water: read, then written, by one node after the other. Each store
// fault is an upgrade, and each takes the block from its last writer.
TEST(StacheMessages, Migratory) {
  StacheSim S(machine(4, 3));
  uintptr_t A = S.page(0);
  constexpr unsigned Rounds = 10;
  for (unsigned R = 0; R < Rounds; ++R)
    for (int Node = 0; Node < 3; ++Node) {
      S.load(Node, A);
      S.store(Node, A);
    }
  uint64_t Upgrades = 0, StoreFaults = 0, GetRW = 0;
  for (int Node = 0; Node < 3; ++Node) {
    Upgrades += S.counts(Node).Upgrades;
    StoreFaults += S.counts(Node).StoreFaults;
    GetRW += S.counts(Node).GetRW;
  }
  EXPECT_EQ(StoreFaults, 3 * Rounds);
  EXPECT_EQ(Upgrades, StoreFaults);
  EXPECT_EQ(GetRW, 0u);
  // All but the very first load find the block at the node before.
  EXPECT_EQ(S.counts(3).InvalidateRW, StoreFaults - 1);
  EXPECT_EQ(S.counts(3).InvalidateRO, 0u);
}

// Home looks at what another node writes: that keeps a copy, and the next store
// needs no contents.
TEST(StacheMessages, ReadByHome) {
  StacheSim S(machine(4, 3));
  uintptr_t A = S.page(0);
  constexpr unsigned Rounds = 10;
  for (unsigned R = 0; R < Rounds; ++R) {
    S.store(0, A);
    S.load(3, A);
    S.load(0, A);
  }
  EXPECT_EQ(S.counts(3).Downgrades, Rounds);
  EXPECT_EQ(S.counts(3).InvalidateRW, 0u);
  EXPECT_EQ(S.counts(0).LoadFaults, 0u);
  EXPECT_EQ(S.counts(0).GetRW, 1u);
  EXPECT_EQ(S.counts(0).Upgrades, Rounds - 1);
}

// What first touch is for: with the producer at home an iteration takes half of
// the messages that it takes with a third node as home.
TEST(StacheMessages, FirstTouchHalvesThem) {
  constexpr unsigned Iterations = 10;
  auto Messages = [&](int Home) {
    StacheSim S(machine(3, Home));
    S.setParallel(true);
    uintptr_t A = S.page(0);
    S.store(1, A);
    S.load(2, A);
    S.resetCounts();
    for (unsigned I = 0; I < Iterations; ++I) {
      S.store(1, A);
      S.load(2, A);
    }
    return S.Control + S.Data;
  };
  EXPECT_EQ(Messages(GDSM_HOME_FIRST_TOUCH), 4 * Iterations);
  EXPECT_EQ(Messages(2), 4 * Iterations);
  EXPECT_EQ(Messages(0), 8 * Iterations);
}

// A miss that home can satisfy takes two messages, whatever it is.
TEST(StacheMessages, TwoHops) {
  StacheSim S(machine(2, 0));
  S.store(1, S.page(0));
  EXPECT_EQ(S.Control, 1u);
  EXPECT_EQ(S.Data, 1u);
  S.load(1, S.page(0) + 128);
  EXPECT_EQ(S.Control, 2u);
  EXPECT_EQ(S.Data, 2u);
  S.store(1, S.page(0) + 128);
  EXPECT_EQ(S.Control, 4u) << "an upgrade moves no data";
  EXPECT_EQ(S.Data, 2u);
}

// --- Home policies ----------------------------------------------------------

TEST(StacheHomes, RoundRobinByPage) {
  StacheSim S(machine(4, GDSM_HOME_ROUND_ROBIN));
  for (unsigned P = 0; P < 8; ++P) {
    S.resetCounts();
    S.store(int((S.page(P) >> 12) % 4), S.page(P));
    EXPECT_EQ(S.Control + S.Data, 0u) << "page " << P;
  }
}

TEST(StacheHomes, BeforeParallelFirstTouchIsNodeZero) {
  StacheSim S(machine(3, GDSM_HOME_FIRST_TOUCH));
  S.store(0, S.page(1));
  EXPECT_EQ(S.Control + S.Data, 0u);
  S.load(2, S.page(1));
  EXPECT_EQ(S.Control, 1u);
  EXPECT_EQ(S.Data, 1u);
}

// What was stored before the election, here and there, is at the elected home
// afterwards: the simulation compares each load with the last store.
TEST(StacheHomes, ElectionKeepsContents) {
  for (int First = 0; First < 3; ++First) {
    StacheSim S(machine(3, GDSM_HOME_FIRST_TOUCH));
    for (unsigned B = 0; B < 32; ++B)
      S.store(int(B % 3), S.page(0) + B * 128);
    for (unsigned B = 0; B < 32; B += 4)
      S.load(int((B + 1) % 3), S.page(0) + B * 128);
    S.setParallel(true);
    S.load(First, S.page(0));
    EXPECT_EQ(S.counts(First).Elected, 1u);
    for (int N = 0; N < 3; ++N)
      for (unsigned B = 0; B < 32; ++B)
        S.load(N, S.page(0) + B * 128);
    S.checkQuiet();
    // The elected home reads all of its page without messages.
    for (unsigned B = 0; B < 32; ++B)
      S.store(First, S.page(0) + B * 128);
    S.resetCounts();
    S.load(First, S.page(0));
    EXPECT_EQ(S.Control + S.Data, 0u);
  }
}

// Nodes begin gdsm_parallel one after the other. A page that is taken from node
// 0 before that node begins is none of its provisional pages any more.
TEST(StacheHomes, ElectionBeforeNodeZeroBegins) {
  StacheSim S(machine(3, GDSM_HOME_FIRST_TOUCH));
  for (unsigned P = 0; P < 4; ++P)
    S.store(0, S.page(P));
  S.on(1, graupel_dsm_stache_parallel_begins);
  S.store(1, S.page(1));
  EXPECT_EQ(S.counts(1).Elected, 1u);
  // A thread of node 0 that its program has started asks for the home, too.
  S.load(0, S.page(1));
  S.on(0, graupel_dsm_stache_parallel_begins);
  S.on(2, graupel_dsm_stache_parallel_begins);
  for (int N = 0; N < 3; ++N)
    for (unsigned P = 0; P < 4; ++P)
      S.store(N, S.page(P));
  S.checkQuiet();
  S.resetCounts();
  S.store(1, S.page(1) + 128);
  EXPECT_EQ(S.Control + S.Data, 0u);
}

// A node that is outside of gdsm_parallel, say by a thread that the program has
// started, touches a page while a node inside is being elected.
TEST(StacheHomes, SerialTouchDuringAnElection) {
  StacheSim S(machine(3, GDSM_HOME_FIRST_TOUCH));
  S.on(1, graupel_dsm_stache_parallel_begins);
  S.on(int((S.page(0) >> 12) % 3), [&] {
    using namespace graupel::dsm::stache;
    Page &P = recordOf(node(), S.page(0));
    raise(node(), P, ElectionEvent::Touch, 1);
    raise(node(), P, ElectionEvent::SerialTouch, 2);
    EXPECT_EQ(P.Waiting, only(1) | only(2));
  });
  S.settle();
  EXPECT_EQ(S.counts(1).Elected, 1u);
  S.store(1, S.page(0));
  S.load(2, S.page(0));
  S.checkQuiet();
}

// The answer to a touch from outside of gdsm_parallel comes after it has begun.
TEST(StacheHomes, ProvisionalHomeComesTooLate) {
  StacheSim S(machine(2, GDSM_HOME_FIRST_TOUCH));
  S.on(1, graupel_dsm_stache_parallel_begins);
  S.on(1, [&] {
    using namespace graupel::dsm::stache;
    Page &P = recordOf(node(), S.page(0));
    homeIs(node(), P, 0, /*Provisionally=*/true);
    EXPECT_EQ(tempest_get_page_protection(P.pointer()), TEMPEST_PAGE_INVALID);
    EXPECT_TRUE(P.Touching);
  });
  S.settle();
  S.store(1, S.page(0));
  S.checkQuiet();
  EXPECT_EQ(S.counts(1).Elected, 1u);
}

// A page stays where it was elected to be; one that was touched outside of
// gdsm_parallel is elected for in the next one.
TEST(StacheHomes, LaterPhases) {
  StacheSim S(machine(3, GDSM_HOME_FIRST_TOUCH));
  S.setParallel(true);
  S.store(2, S.page(0));
  S.setParallel(false);
  S.store(0, S.page(0));
  S.store(1, S.page(1));
  S.setParallel(true);
  S.store(1, S.page(0));
  S.store(2, S.page(1));
  EXPECT_EQ(S.counts(2).Elected, 2u);
  EXPECT_EQ(S.counts(0).Elected + S.counts(1).Elected, 0u);
  S.checkQuiet();
}

// --- Hazards ----------------------------------------------------------------

// Two threads fault on one block: one request.
TEST(StacheHazards, H32_OneRequestForAllThreadsOfANode) {
  SimOptions O = machine(2, 0);
  O.Threads = 4;
  StacheSim S(O);
  S.begin(1, S.page(0), false, 0);
  S.begin(1, S.page(0) + 8, false, 1);
  S.begin(1, S.page(0) + 16, true, 2);
  S.begin(1, S.page(0) + 24, false, 3);
  S.settle();
  EXPECT_EQ(S.counts(1).GetRO + S.counts(1).GetRW, 1u);
  EXPECT_LE(S.counts(1).Upgrades, 1u);
}

// Both nodes have a copy and store: whoever comes second has lost its copy when
// home looks at its upgrade, and gets the data.
TEST(StacheHazards, H33_UpgradeThatLostItsCopy) {
  StacheSim S(machine(3, 0));
  touchAll(S);
  S.resetCounts();
  S.begin(1, S.page(0), true);
  S.begin(2, S.page(0), true);
  S.settle();
  EXPECT_EQ(S.counts(1).Upgrades + S.counts(2).Upgrades, 2u);
  EXPECT_EQ(S.Data, 2u) << "written back, and passed on";
  S.checkQuiet();
}

// All nodes touch a page at the same time: one is elected, all learn of it, and
// nobody asks again.
TEST(StacheHazards, H34_ConcurrentFirstTouches) {
  FOR_EACH_SEED(Seed) {
    SimOptions O = machine(4, GDSM_HOME_FIRST_TOUCH);
    O.Seed = Seed;
    StacheSim S(O);
    S.setParallel(true);
    for (int N = 0; N < 4; ++N)
      S.begin(N, S.page(Seed % 8), N % 2);
    S.settle();
    uint64_t Elected = 0;
    for (int N = 0; N < 4; ++N)
      Elected += S.counts(N).Elected;
    ASSERT_EQ(Elected, 1u);
    S.checkQuiet();
    uint64_t Before = S.Control;
    S.load(3, S.page(Seed % 8) + 2048);
    ASSERT_LE(S.Control, Before + 1);
  }
}

} // namespace
