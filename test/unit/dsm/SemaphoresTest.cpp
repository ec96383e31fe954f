//===- SemaphoresTest.cpp - Semaphores and conditions on a node -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words by themselves, and the calls on a node without a job, where each
// number is at home. What only several nodes do is in test/dsm/signals.test.
//
//===----------------------------------------------------------------------===//

#include "Sync/SemaphoreWords.h"
#include "Sync/Sync.h"
#include "TestNode.h"
#include "graupel/dsm.h"
#include <gtest/gtest.h>
#include <memory>
#include <thread>

using namespace graupel::dsm;
using test::node;

namespace {

TEST(SemaphoreWords, CountUpAndDown) {
  auto W = std::make_unique<SemaphoreWords>();
  for (uint64_t N : {uint64_t(0), uint64_t(77), ~uint64_t(0)}) {
    EXPECT_FALSE(W->take(N));
    EXPECT_TRUE(W->post(N, 2));
    EXPECT_TRUE(W->post(N, SemaphoreWords::MaxValue - 2));
    EXPECT_FALSE(W->post(N, 1)) << "it is full";
    for (uint64_t I = 0; I != SemaphoreWords::MaxValue; ++I)
      EXPECT_TRUE(W->take(N));
    EXPECT_FALSE(W->take(N));
    EXPECT_FALSE(W->post(N, SemaphoreWords::MaxValue + 1));
  }
}

TEST(SemaphoreWords, TellTheirValueWhenTheyQueue) {
  auto W = std::make_unique<SemaphoreWords>();
  W->post(5, 9);
  int Told = 0;
  W->close(5, [&](uint64_t Number, uint64_t Value) {
    EXPECT_EQ(Number, 5u);
    EXPECT_EQ(Value, 9u);
    ++Told;
  });
  EXPECT_EQ(Told, 1);
  EXPECT_FALSE(W->take(5));
  EXPECT_FALSE(W->post(5, 1));
  W->remove(5);
  W->open(5);
  EXPECT_TRUE(W->post(5, 1));
  EXPECT_TRUE(W->take(5));
}

TEST(SemaphoreWords, AreOneNumbersAtATime) {
  auto W = std::make_unique<SemaphoreWords>();
  uint64_t Other = 1;
  W->post(0, 1);
  while (W->post(Other, 1))
    W->take(Other++);
  EXPECT_FALSE(W->take(Other)) << "that is the other one's";
  EXPECT_TRUE(W->take(0));
  EXPECT_TRUE(W->post(Other, 1));
}

struct Semaphores : testing::Test {
  static void SetUpTestSuite() {
    node();
    registerLockHandlers(node());
    registerSemaphoreHandlers(node());
    registerConditionHandlers(node());
    gdsm_lock(1); // The first call of a program comes the slow way.
    gdsm_unlock(1);
  }
};

/// What runs handlers does not matter to who takes what is there.
TEST_F(Semaphores, AboveZeroNeedNoProtocolLock) {
  std::thread Holder;
  test::offline([&] {
    Locked Lock(node().Dispatch);
    Holder = std::thread([&] {
      // Known to the node by a record of its own, which needs the lock.
      ThreadRecord &Own = node().Team.record(MaxThreads - 1);
      SelfLook = &Own;
      Own.goOnline();
      for (uint64_t N = 0; N != 1000; ++N) {
        gdsm_sem_post(N, 2);
        gdsm_sem_wait(N);
        EXPECT_TRUE(gdsm_sem_trywait(N));
      }
      Own.goOffline();
      SelfLook = nullptr;
    });
    Holder.join();
  });
  EXPECT_FALSE(gdsm_sem_trywait(7));
}

/// Of semaphores that wait now and then, and share words with others.
TEST_F(Semaphores, LoseNothing) {
  constexpr int Threads = 4, Rounds = 5000;
  constexpr uint64_t Kinds = 3, First = 5000;
  std::atomic<long> Inside[Kinds] = {};
  for (uint64_t K = 0; K != Kinds; ++K)
    gdsm_sem_post(First + K, 2);
  test::onThreads(Threads, [&](int I) {
    uint64_t Random = 777 + I;
    for (int Round = 0; Round != Rounds; ++Round) {
      Random ^= Random << 7;
      Random ^= Random >> 9;
      uint64_t K = Random % Kinds;
      gdsm_sem_wait(First + K);
      EXPECT_LE(Inside[K].fetch_add(1), 1);
      if (Random % 64 == 0)
        sched_yield();
      Inside[K].fetch_sub(1);
      gdsm_sem_post(First + K, 1);
    }
  });
  for (uint64_t K = 0; K != Kinds; ++K) {
    EXPECT_TRUE(gdsm_sem_trywait(First + K));
    EXPECT_TRUE(gdsm_sem_trywait(First + K));
    EXPECT_FALSE(gdsm_sem_trywait(First + K));
  }
}

TEST_F(Semaphores, HoldMoreThanAWord) {
  gdsm_sem_post(300, 5000);
  gdsm_sem_post(300, 5000);
  for (int I = 0; I != 10000; ++I)
    ASSERT_TRUE(gdsm_sem_trywait(300));
  EXPECT_FALSE(gdsm_sem_trywait(300));
}

/// Every signal behind gdsm_cond_wait's unlock is noticed: threads take turns.
TEST_F(Semaphores, ConditionsMissNoSignal) {
  constexpr int Threads = 3, Rounds = 300;
  long Turn = 0; // Under the lock.
  test::onThreads(Threads, [&](int I) {
    for (long Round = 0; Round != Rounds; ++Round) {
      gdsm_lock(40);
      while (Turn != Round * Threads + I)
        gdsm_cond_wait(40, 40);
      ++Turn;
      gdsm_cond_broadcast(40);
      gdsm_unlock(40);
    }
  });
  EXPECT_EQ(Turn, long(Threads) * Rounds);
}

TEST_F(Semaphores, RefuseMisuse) {
  EXPECT_EXIT(gdsm_sem_post(9, 0), testing::ExitedWithCode(1),
              "gdsm_sem_post at .*: 0 is added to semaphore 9");
  EXPECT_EXIT(gdsm_cond_wait(9, 9), testing::ExitedWithCode(1),
              "gdsm_cond_wait at .*: this thread does not have lock 9");
}

} // namespace
