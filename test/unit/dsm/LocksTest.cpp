//===- LocksTest.cpp - Locks that lie on the node ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words by themselves, and gdsm_lock on a node without a job, where each
// lock is at home. What only several nodes do is in test/dsm/locks.test.
//
//===----------------------------------------------------------------------===//

#include "Sync/LockWords.h"
#include "Sync/Sync.h"
#include "TestNode.h"
#include "graupel/dsm.h"
#include <gtest/gtest.h>
#include <memory>
#include <thread>

using namespace graupel::dsm;
using test::node;

namespace {

/// What programs might take for locks: numbers, addresses, anything.
std::vector<uint64_t> numbers() {
  std::vector<uint64_t> Result = {0, 1, 2, 63, 1u << 13, ~0ull, 1ull << 63};
  for (uint64_t I = 0, N = 88172645463325252; I != 1000; ++I) {
    Result.push_back(N ^= N << 7 ^ N >> 9);
    Result.push_back(0x7f0000000000 + 64 * I);
  }
  return Result;
}

TEST(LockWords, TellWhoHasWhich) {
  auto W = std::make_unique<LockWords>();
  for (uint64_t N : numbers())
    for (unsigned Owner : {0u, 5u, 1023u}) {
      EXPECT_TRUE(W->take(N, Owner));
      EXPECT_FALSE(W->take(N, Owner));
      EXPECT_FALSE(W->release(N, Owner ^ 1));
      int Told = 0;
      W->close(N, [&](uint64_t Number, unsigned By) {
        EXPECT_EQ(Number, N);
        EXPECT_EQ(By, Owner);
        ++Told;
      });
      EXPECT_EQ(Told, 1);
      // Now it is known elsewhere.
      EXPECT_FALSE(W->release(N, Owner));
      W->open(N);
      EXPECT_FALSE(W->take(N, Owner));
      W->remove(N);
      W->open(N);
      EXPECT_TRUE(W->take(N, Owner));
      EXPECT_TRUE(W->release(N, Owner));
    }
}

TEST(LockWords, NumbersOfOneWordQueue) {
  auto W = std::make_unique<LockWords>();
  uint64_t Other = 1;
  W->take(0, 3);
  while (W->take(Other, 3))
    W->release(Other++, 3);
  W->close(Other, [](uint64_t Number, unsigned) { EXPECT_EQ(Number, 0u); });
  W->add(Other);
  W->remove(0);
  W->open(0);
  EXPECT_FALSE(W->take(0, 3)) << "the other one is still queued";
  W->remove(Other);
  W->open(Other);
  EXPECT_TRUE(W->take(0, 3));
}

TEST(LockWords, FindWhatAThreadLeaves) {
  auto W = std::make_unique<LockWords>();
  W->take(100, 7);
  W->take(200, 8);
  W->take(300, 7);
  uint64_t Sum = 0;
  W->forEachHeldBy(7, [&](uint64_t Number) { Sum += Number; });
  EXPECT_EQ(Sum, 400u);
}

struct Locks : testing::Test {
  static void SetUpTestSuite() {
    node();
    registerLockHandlers(node());
    gdsm_lock(1); // The first call of a program comes the slow way.
    gdsm_unlock(1);
  }
};

/// What runs handlers does not matter to who takes a free lock.
TEST_F(Locks, FreeOnesNeedNoProtocolLock) {
  std::atomic<bool> Done{false};
  std::thread Holder;
  test::offline([&] {
    Locked Lock(node().Dispatch);
    Holder = std::thread([&] {
      // Known to the node by a record of its own, which needs the lock.
      ThreadRecord &Own = node().Team.record(MaxThreads - 1);
      SelfLook = &Own;
      Own.Index = MaxThreads - 1;
      Own.goOnline();
      for (uint64_t N : numbers()) {
        gdsm_lock(N);
        gdsm_unlock(N);
      }
      Own.goOffline();
      SelfLook = nullptr;
      Done = true;
    });
    Holder.join();
  });
  EXPECT_TRUE(Done);
}

/// A handshake waits for threads that do nothing but take locks, too.
TEST_F(Locks, AreMetByHandshakes) {
  std::atomic<bool> Stop{false};
  test::onThreads(2, [&](int I) {
    if (I == 0) {
      while (!Stop) {
        gdsm_lock(5);
        gdsm_unlock(5);
      }
      return;
    }
    Away Here(node());
    for (int Round = 0; Round != 100; ++Round) {
      Locked Lock(node().Dispatch);
      node().Team.handshake();
    }
    Stop = true;
  });
}

/// Threads that meet at few locks and threads that do not, also at locks that
/// share a word.
TEST_F(Locks, ExcludeEachOther) {
  constexpr int Threads = 4, Rounds = 20000, Kinds = 6;
  struct alignas(128) {
    long Value = 0;
  } Counters[Kinds + Threads];
  test::onThreads(Threads, [&](int I) {
    uint64_t Random = 12345 + I;
    for (int Round = 0; Round != Rounds; ++Round) {
      Random ^= Random << 7;
      Random ^= Random >> 9;
      unsigned K = Random % 4 ? Kinds + I : Random / 4 % Kinds;
      gdsm_lock(1000 + K);
      ++Counters[K].Value; // Not atomic.
      if (Random % 32 == 0)
        sched_yield();
      gdsm_unlock(1000 + K);
    }
  });
  long Sum = 0;
  for (auto &C : Counters)
    Sum += C.Value;
  EXPECT_EQ(Sum, long(Threads) * Rounds);
}

/// A lock that is wanted all the time goes back to its home now and then, where
/// a thread that comes at that moment must not slip in beside the queue.
TEST_F(Locks, StayWithTheQueueBetweenTurns) {
  constexpr int Threads = 4, Rounds = 200000;
  std::atomic<int> Holders{0};
  test::onThreads(Threads, [&](int I) {
    uint64_t Random = 12345 + I;
    for (int Round = 0; Round != Rounds; ++Round) {
      Random ^= Random << 7;
      Random ^= Random >> 9;
      if (Random % 16) { // Another one, to come at any moment.
        gdsm_lock(3000 + I);
        gdsm_unlock(3000 + I);
        continue;
      }
      gdsm_lock(2000);
      EXPECT_EQ(Holders.fetch_add(1), 0);
      if (Random % 256 == 0)
        sched_yield();
      Holders.fetch_sub(1);
      gdsm_unlock(2000);
    }
  });
}

TEST_F(Locks, DoNotRecurse) {
  EXPECT_EXIT(
      {
        gdsm_lock(77);
        gdsm_lock(77);
      },
      testing::ExitedWithCode(1), "gdsm_lock: this thread has lock 77 already");
  EXPECT_EXIT(gdsm_unlock(78), testing::ExitedWithCode(1),
              "no thread of node 0 has lock 78");
}

} // namespace
