//===- HandshakeTest.cpp - Downgrades while other threads run ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The guarantees G1 and G2 of tempest.h, with real threads whose accesses are
// checked as the passes would.
//
//===----------------------------------------------------------------------===//

#include "TestNode.h"
#include "dsm/Inputs/checked.h"
#include <gtest/gtest.h>
#include <sched.h>

using namespace graupel::dsm;
using test::node;

namespace {

constexpr size_t BlockBytes = 256;

uintptr_t newPage(int Mode, tempest_block_fault_handler H) {
  for (tempest_tag Tag : {TEMPEST_READ_ONLY, TEMPEST_INVALID})
    for (bool Store : {false, true})
      node().Refused.setBlockHandler(Mode, Tag, Store, H);
  uintptr_t Page = test::openPages(BlockBytes);
  Away Here(node());
  Locked Lock(node().Dispatch);
  EXPECT_TRUE(tempest_alloc_and_map(reinterpret_cast<void *>(Page), Mode,
                                    TEMPEST_READ_WRITE, 0, nullptr));
  return Page;
}

/// Under the protocol lock, away.
template <class F> void asProtocol(F Body) {
  Away Here(node());
  Locked Lock(node().Dispatch);
  node().Dispatch.handle(Body);
}

// Behind its last look at tags a thread must meet no handshake, whatever the
// runtime calls there.
TEST(Handshake, NotWhereAThreadAcquiresAndBlocks) {
  ThreadRecord &T = thisThread(node());
  T.Acquires = true;
  uint64_t Before = T.state();
  {
    Blocking Here;
    EXPECT_EQ(T.state(), Before);
  }
  EXPECT_EQ(T.state(), Before);
  T.Acquires = false;
  {
    Blocking Here;
    EXPECT_EQ(T.state(), Before + 1);
  }
  EXPECT_EQ(T.state(), Before + 2);
}

bool isSentinel(uintptr_t Block) {
  auto *P = reinterpret_cast<volatile uint32_t *>(Block);
  for (size_t I = 0; I != BlockBytes / 4; ++I)
    if (P[I] != GRAUPEL_DSM_SENTINEL)
      return false;
  return true;
}

/// Threads add to their own words of one block, which is taken away and given
/// back.
void takeAndGive(int Count, int Downgrades, int Threads) {
  // Who faults waits until the block is given back.
  uintptr_t Block = newPage(2, [](void *, void *, int) {});
  std::atomic<bool> Stop{false};
  std::atomic<int> Lost{0};
  test::onThreads(Threads + 1, [&](int I) {
    auto *Words = reinterpret_cast<int64_t *>(Block);
    if (I < Threads) {
      int64_t Mine = 0;
      for (; !Stop.load(std::memory_order_relaxed); check_poll()) {
        if (LOAD(&Words[I]) != Mine)
          ++Lost;
        for (int K = 0; K != Count; ++K)
          STORE(&Words[I], ++Mine);
      }
      return;
    }
    for (int D = 0; D != Downgrades; ++D) {
      alignas(16) char Data[BlockBytes];
      auto *P = reinterpret_cast<void *>(Block);
      asProtocol([&] {
        tempest_change_blocks_and_get(P, BlockBytes,
                                      TEMPEST_READ_WRITE_TO_INVALID, Data);
        for (int K = 0; K != D % 64; ++K)
          asm volatile("pause");
        if (!isSentinel(Block))
          ++Lost;
        tempest_change_blocks_and_put(P, BlockBytes,
                                      TEMPEST_INVALID_TO_READ_WRITE, Data);
        tempest_resume(P, BlockBytes);
      });
    }
    Stop = true;
  });
  EXPECT_EQ(Lost, 0);
}

TEST(Handshake, NoStoreAfterAndGet) {
  takeAndGive(1, 3000, 1);
  takeAndGive(10, 3000, 3);
}

TEST(Handshake, ReadOnlyBlocksDoNotChange) {
  uintptr_t Block = newPage(3, [](void *, void *, int) {});
  std::atomic<bool> Stop{false};
  std::atomic<int> Changed{0};
  test::onThreads(3, [&](int I) {
    auto *Words = reinterpret_cast<volatile int64_t *>(Block);
    if (I != 2) {
      for (int64_t N = 0; !Stop; check_poll())
        STORE(&Words[I], ++N);
      return;
    }
    for (int D = 0; D != 3000; ++D)
      asProtocol([&] {
        auto *P = reinterpret_cast<void *>(Block);
        tempest_change_blocks(P, BlockBytes, TEMPEST_READ_WRITE_TO_READ_ONLY);
        int64_t A = Words[0], B = Words[1];
        for (int K = 0; K != D % 64; ++K)
          asm volatile("pause");
        Changed += A != Words[0] || B != Words[1];
        tempest_change_blocks(P, BlockBytes, TEMPEST_READ_ONLY_TO_READ_WRITE);
        tempest_resume(P, BlockBytes);
      });
    Stop = true;
  });
  EXPECT_EQ(Changed, 0);
}

TEST(Handshake, WhoPassesTheNewTagSeesTheNewData) {
  uintptr_t Block = newPage(4, [](void *, void *, int) {});
  std::atomic<bool> Stop{false};
  std::atomic<int> Old{0};
  test::onThreads(3, [&](int I) {
    auto *Words = reinterpret_cast<int64_t *>(Block);
    if (I != 2) {
      // All words of a filling are equal, and fillings ascend.
      for (int64_t Last = 0; !Stop; check_poll()) {
        int64_t V = I ? LOAD_SENTINEL(&Words[7]) : LOAD(&Words[9]);
        Old += V < Last || V == int64_t(0x7ffbadc07ffbadc0);
        Last = V;
      }
      return;
    }
    for (int64_t D = 1; D != 3000; ++D)
      asProtocol([&] {
        auto *P = reinterpret_cast<void *>(Block);
        tempest_change_blocks(P, BlockBytes, TEMPEST_READ_WRITE_TO_INVALID);
        int64_t Data[BlockBytes / 8];
        for (int64_t &W : Data)
          W = D;
        tempest_change_blocks_and_put(P, BlockBytes,
                                      TEMPEST_INVALID_TO_READ_WRITE, Data);
        tempest_resume(P, BlockBytes);
      });
    Stop = true;
  });
  EXPECT_EQ(Old, 0);
}

TEST(Handshake, OneForAllBlocksOfAChangeAndNoneAlone) {
  uintptr_t Page = newPage(5, [](void *, void *, int) {});
  auto *P = reinterpret_cast<void *>(Page);
  uint64_t Before = node().Team.handshakes();
  asProtocol([&] {
    tempest_change_blocks(P, 4096, TEMPEST_READ_WRITE_TO_INVALID);
    tempest_change_blocks(P, 4096, TEMPEST_INVALID_TO_READ_WRITE);
  });
  EXPECT_EQ(node().Team.handshakes(), Before) << "nobody else was online";
  std::atomic<bool> Stop{false}, Runs{false};
  test::onThreads(2, [&](int I) {
    // Online, and polls only when it is waited for: where processors are few a
    // poll that waits for the lock needs no handshake.
    if (I == 0) {
      for (Runs = true; !Stop; sched_yield())
        if (__atomic_load_n(&TheHandshakeBell.Sleeps, __ATOMIC_ACQUIRE))
          check_poll();
      return;
    }
    while (!Runs)
      sched_yield();
    asProtocol(
        [&] { tempest_change_blocks(P, 4096, TEMPEST_READ_WRITE_TO_INVALID); });
    EXPECT_EQ(node().Team.handshakes(), Before + 1);
    asProtocol([&] {
      tempest_change_blocks(P, 4096, TEMPEST_INVALID_TO_READ_WRITE);
      tempest_change_blocks(P, 4096, TEMPEST_NO_CHANGE);
    });
    EXPECT_EQ(node().Team.handshakes(), Before + 1) << "an upgrade";
    Stop = true;
  });
}

/// A thread that has lost its processor gets it sooner if who waits for it
/// leaves the processor than if that one only gives way.
TEST(Handshake, SleepsUntilAThreadPolls) {
  std::atomic<bool> Runs{false};
  test::onThreads(2, [&](int I) {
    if (I == 0) {
      Runs = true;
      while (!__atomic_load_n(&TheHandshakeBell.Sleeps, __ATOMIC_ACQUIRE))
        sched_yield();
      check_poll();
      return;
    }
    while (!Runs)
      sched_yield();
    asProtocol([&] { node().Team.handshake(); });
    EXPECT_EQ(TheHandshakeBell.Sleeps, 0u);
  });
}

/// Processors are few here, so a loop that only waits sleeps. It is not waited
/// for meanwhile, and goes on by itself.
TEST(Rest, LoopsThatOnlyWaitSleep) {
  Dispatcher &D = node().Dispatch;
  std::atomic<bool> Ends{false};
  test::onThreads(2, [&](int I) {
    if (I == 0) {
      while (!Ends)
        graupel_dsm_poll();
      return;
    }
    while (!D.resting())
      sched_yield();
    asProtocol([&] { node().Team.handshake(); });
    while (!D.resting())
      sched_yield();
    Ends = true;
  });
  EXPECT_EQ(D.resting(), 0u);
}

} // namespace
