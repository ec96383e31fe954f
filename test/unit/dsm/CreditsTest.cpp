//===- CreditsTest.cpp - Who may send how much ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Credits.h"
#include <gtest/gtest.h>

using graupel::dsm::Credits;

TEST(Credits, AQuarterIsForHandlers) {
  Credits C(2, 16);
  for (int I = 0; I < 12; ++I, C.send(1))
    EXPECT_TRUE(C.maySend(1, false));
  EXPECT_FALSE(C.maySend(1, false));
  for (int I = 0; I < 4; ++I, C.send(1))
    EXPECT_TRUE(C.maySend(1, true));
  EXPECT_FALSE(C.maySend(1, true));
  EXPECT_TRUE(C.maySend(0, false)) << "each peer has a window of its own";
  EXPECT_TRUE(C.acked(1, 4));
  EXPECT_TRUE(C.maySend(1, true));
  EXPECT_FALSE(C.maySend(1, false));
  EXPECT_TRUE(C.acked(1, 1));
  EXPECT_TRUE(C.maySend(1, false));
}

TEST(Credits, MessagesAreNumbered) {
  Credits C(2, 16);
  for (uint64_t I = 0; I < 5; ++I)
    EXPECT_EQ(C.send(1), I);
  EXPECT_EQ(C.send(0), 0u);
}

TEST(Credits, ReturnedAlone) {
  Credits C(2, 16);
  for (int I = 0; I < 5; ++I)
    EXPECT_TRUE(C.arrived(1));
  for (int I = 0; I < 4; ++I)
    EXPECT_FALSE(C.freed(1)) << "a quarter may wait for a message";
  EXPECT_TRUE(C.freed(1));
  EXPECT_TRUE(C.due(1));
  EXPECT_EQ(C.takeDue(1), 5u);
  EXPECT_FALSE(C.due(1));
  EXPECT_EQ(C.takeDue(1), 0u);
}

TEST(Credits, WithAMessageInTime) {
  Credits C(2, 16);
  for (int I = 0; I < 1000; ++I) {
    EXPECT_TRUE(C.arrived(1));
    EXPECT_FALSE(C.freed(1));
    EXPECT_EQ(C.takeDue(1), 1u);
  }
}

TEST(Credits, DeadlockIsSuspectedOfFullWindowsOnly) {
  Credits C(3, 8);
  for (int I = 0; I < 7; ++I) {
    C.arrived(1);
    C.arrived(2);
  }
  EXPECT_FALSE(C.suspectsDeadlock());
  C.arrived(2);
  EXPECT_TRUE(C.suspectsDeadlock());
  // Handled, but the peer does not know: it may still wait.
  C.freed(2);
  EXPECT_TRUE(C.suspectsDeadlock());
  C.takeDue(2);
  EXPECT_FALSE(C.suspectsDeadlock());
}

TEST(Credits, PeersThatCheatAreNoticed) {
  Credits C(2, 4);
  C.send(1);
  EXPECT_FALSE(C.acked(1, 2));
  for (int I = 0; I < 4; ++I)
    EXPECT_TRUE(C.arrived(1));
  EXPECT_FALSE(C.arrived(1));
}

// What fits Stache: each thread of the job has its transactions under way, each
// of these has sent one message between the same two nodes, and a quarter of
// the window was handled before without its credits having come back.
TEST(Credits, DefaultWindowFitsStache) {
  for (int Nodes = 1; Nodes <= 64; ++Nodes)
    for (int Threads : {1, 2, 3, 4, 8, 16, 32}) {
      unsigned W = Credits::defaultWindow(Nodes, Threads);
      EXPECT_GE(W, 16u);
      EXPECT_LE(W, 65535u);
      if (unsigned(Nodes * Threads) <= 2048)
        EXPECT_GE(W - W / 4, unsigned(Nodes * Threads))
            << Nodes << " x " << Threads;

      unsigned Each = Credits::requestsPerThread(Nodes, Threads, 32);
      EXPECT_GE(Each, 1u);
      EXPECT_LE(Each, 32u);
      unsigned All = unsigned(Nodes * Threads) * Each;
      if (Each > 1) {
        unsigned Window = Credits::defaultWindow(Nodes, Threads * int(Each));
        EXPECT_GE(Window - Window / 4, All) << Nodes << " x " << Threads;
      }
    }
  EXPECT_EQ(Credits::requestsPerThread(2, 4, 32), 32u);
  EXPECT_EQ(Credits::requestsPerThread(64, 1, 32), 32u);
  EXPECT_EQ(Credits::requestsPerThread(64, 4, 32), 11u);
}
