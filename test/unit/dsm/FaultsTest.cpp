//===- FaultsTest.cpp - Sets of ranges against thieves ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestNode.h"
#include <gtest/gtest.h>

using namespace graupel::dsm;
using test::node;

namespace {

constexpr size_t BlockBytes = 128;

void *at(uintptr_t A) { return reinterpret_cast<void *>(A); }

/// A protocol that grants the block of a fault at once, and takes another one
/// away each time unless it is held.
struct {
  uintptr_t Page = 0;
  std::vector<uintptr_t> Blocks, Granted;
  int Taken = 0, Spared = 0, Released = 0;
} Thief;

void onFault(void *Address, void *, int) {
  uintptr_t Block = reinterpret_cast<uintptr_t>(Address) & -BlockBytes;
  Thief.Granted.push_back(Block);
  for (uintptr_t Other : Thief.Blocks) {
    if (Other == Block || tempest_get_tag(at(Other)) != TEMPEST_READ_WRITE)
      continue;
    if (tempest_is_held(at(Other))) {
      ++Thief.Spared;
    } else {
      ++Thief.Taken;
      tempest_change_blocks(at(Other), BlockBytes,
                            TEMPEST_READ_WRITE_TO_INVALID);
    }
  }
  if (tempest_get_tag(at(Block)) == TEMPEST_INVALID)
    tempest_change_blocks(at(Block), BlockBytes, TEMPEST_INVALID_TO_READ_WRITE);
  tempest_resume(at(Block), BlockBytes);
}

void prepare(std::initializer_list<size_t> Offsets) {
  for (bool Store : {false, true})
    node().Refused.setBlockHandler(6, TEMPEST_INVALID, Store, onFault);
  node().Refused.setReleaseHandler([] { ++Thief.Released; });
  Thief = {};
  Thief.Page = test::openPages(BlockBytes);
  for (size_t O : Offsets)
    Thief.Blocks.push_back(Thief.Page + O);
  Away Here(node());
  Locked Lock(node().Dispatch);
  for (size_t P = 0; P != 4 * PageBytes; P += PageBytes)
    ASSERT_TRUE(tempest_alloc_and_map(at(Thief.Page + P), 6, TEMPEST_INVALID, 0,
                                      nullptr));
}

TEST(Faults, OneBlockNeedsNoHolding) {
  prepare({0, 128});
  for (int I = 0; I != 50; ++I)
    graupel_dsm_store(at(Thief.Blocks[I % 2]), 8);
  EXPECT_EQ(Thief.Granted.size(), 50u);
  EXPECT_EQ(Thief.Spared, 0);
  EXPECT_EQ(Thief.Released, 0);
}

TEST(Faults, SetsAreHeldAfterAFewThefts) {
  prepare({4096, 128, 8192 + 256});
  graupel_dsm_range Set[] = {{at(Thief.Blocks[0] + 8), 8 << 1 | 1},
                             {at(Thief.Blocks[1] + 8), 8 << 1},
                             {at(Thief.Blocks[2]), 8 << 1 | 1}};
  graupel_dsm_poll_acquire(Set, 3);
  for (uintptr_t B : Thief.Blocks)
    EXPECT_EQ(tempest_get_tag(at(B)), TEMPEST_READ_WRITE);
  EXPECT_GT(Thief.Taken, 0) << "it had to fight";
  EXPECT_GT(Thief.Spared, 0);
  EXPECT_LT(Thief.Granted.size(), 20u);
  // Holding, it went from low to high addresses.
  ASSERT_GE(Thief.Granted.size(), 3u);
  EXPECT_EQ(Thief.Granted.end()[-1], Thief.Blocks[2]);
  EXPECT_LT(Thief.Granted.end()[-2], Thief.Granted.end()[-1]);
  for (uintptr_t B : Thief.Blocks)
    EXPECT_FALSE(tempest_is_held(at(B))) << "not for longer than needed";
  EXPECT_EQ(Thief.Released, 0) << "not before the thread had its turn";
  graupel_dsm_poll();
  EXPECT_EQ(Thief.Released, 1);
}

TEST(Faults, AFewBytesOfManyBlocks) {
  prepare({0, 4096});
  graupel_dsm_range Set[] = {{at(Thief.Page + 120), 300 << 1 | 1},
                             {nullptr, 0},
                             {at(Thief.Page + 4000), 200 << 1}};
  graupel_dsm_poll_acquire(Set, 3);
  for (size_t O : {0, 128, 256, 384, 3968, 4096})
    EXPECT_EQ(tempest_get_tag(at(Thief.Page + O)), TEMPEST_READ_WRITE) << O;
  for (size_t O : {512, 3840, 4224})
    EXPECT_EQ(tempest_get_tag(at(Thief.Page + O)), TEMPEST_INVALID) << O;
}

/// A protocol may resume a thread with less than it wanted, and ask for the
/// rest by itself: the thread asks for the same again, whatever else it lost
/// meanwhile.
TEST(Faults, ARefusedAccessIsTriedAgainBeforeAnother) {
  prepare({0, 4096});
  static std::vector<uintptr_t> Seen;
  Seen.clear();
  auto Handler = [](void *Address, void *, int) {
    auto A = reinterpret_cast<uintptr_t>(Address);
    Seen.push_back(A);
    if (Seen.size() == 2) {
      tempest_change_blocks(at(Thief.Blocks[0]), BlockBytes,
                            TEMPEST_READ_WRITE_TO_INVALID);
    } else {
      tempest_change_blocks(at(A), BlockBytes, TEMPEST_INVALID_TO_READ_WRITE);
    }
    tempest_resume(at(A), 1);
  };
  node().Refused.setBlockHandler(6, TEMPEST_INVALID, true, Handler);
  graupel_dsm_range Set[] = {{at(Thief.Blocks[0]), 8 << 1 | 1},
                             {at(Thief.Blocks[1]), 8 << 1 | 1}};
  graupel_dsm_poll_acquire(Set, 2);
  EXPECT_EQ(Seen, (std::vector<uintptr_t>{Thief.Blocks[0], Thief.Blocks[1],
                                          Thief.Blocks[1], Thief.Blocks[0]}));
}

/// A protocol that answers when it is idle: one fault after the other, the
/// newest or the oldest first.
struct {
  std::vector<std::pair<uintptr_t, bool>> Seen;
  std::vector<uintptr_t> Open;
  size_t MostOpen = 0, Refusals = 0;
  bool NewestFirst = false;
} Slow;

void answerOne() {
  auto It = Slow.NewestFirst ? Slow.Open.end() - 1 : Slow.Open.begin();
  uintptr_t A = *It;
  Slow.Open.erase(It);
  if (Slow.Refusals && Slow.Refusals-- % 2) {
    // Nothing yet.
  } else if (tempest_get_tag(at(A)) == TEMPEST_BUSY) {
    tempest_change_blocks(at(A), BlockBytes, TEMPEST_BUSY_TO_READ_WRITE);
  }
  tempest_resume(at(A), BlockBytes);
}

template <bool Store> void onSlowFault(void *Address, void *, int) {
  auto A = reinterpret_cast<uintptr_t>(Address);
  Slow.Seen.push_back({A, Store});
  Slow.Open.push_back(A & -BlockBytes);
  Slow.MostOpen = std::max(Slow.MostOpen, Slow.Open.size());
  if (tempest_get_tag(Address) == TEMPEST_INVALID)
    tempest_change_blocks(at(Slow.Open.back()), BlockBytes,
                          TEMPEST_INVALID_TO_BUSY);
  node().Dispatch.runLater(answerOne);
}

void prepareSlow() {
  prepare({});
  Slow = {};
  for (tempest_tag Tag : {TEMPEST_INVALID, TEMPEST_BUSY}) {
    node().Refused.setBlockHandler(6, Tag, false, onSlowFault<false>);
    node().Refused.setBlockHandler(6, Tag, true, onSlowFault<true>);
  }
}

TEST(Faults, AllBlocksOfASetAreAskedForBeforeTheThreadWaits) {
  prepareSlow();
  graupel_dsm_load(at(Thief.Page), PageBytes);
  ASSERT_EQ(Slow.Seen.size(), 32u);
  EXPECT_EQ(Slow.MostOpen, 32u);
  for (size_t I = 0; I != 32; ++I) {
    EXPECT_EQ(Slow.Seen[I].first, Thief.Page + I * BlockBytes);
    EXPECT_FALSE(Slow.Seen[I].second);
  }
  // What was there already is not asked for.
  graupel_dsm_store(at(Thief.Page + 100), PageBytes);
  ASSERT_EQ(Slow.Seen.size(), 33u);
  EXPECT_EQ(Slow.Seen[32], std::pair(Thief.Page + PageBytes, true));
}

/// No more than tempest.h says, and more as soon as there is room.
TEST(Faults, LongSetsAreAskedForInAWindow) {
  for (bool NewestFirst : {false, true}) {
    prepareSlow();
    Slow.NewestFirst = NewestFirst;
    graupel_dsm_range Set[] = {{at(Thief.Page + PageBytes + 8), 2000 << 1},
                               {at(Thief.Page + 2 * PageBytes), 4096 << 1 | 1},
                               {at(Thief.Page), 3000 << 1}};
    graupel_dsm_poll_acquire(Set, 3);
    EXPECT_EQ(Slow.Seen.size(), 16u + 32 + 24);
    EXPECT_EQ(Slow.MostOpen, size_t(TEMPEST_MAX_FAULTS));
    EXPECT_TRUE(Slow.Open.empty());
  }
}

/// A block is asked for once, with all that the set does to it.
TEST(Faults, RangesOfOneBlockMakeOneFault) {
  prepareSlow();
  graupel_dsm_range Set[] = {{at(Thief.Page), 256 << 1},
                             {at(Thief.Page + 64), 0 << 1 | 1},
                             {at(Thief.Page + 200), 100 << 1 | 1},
                             {at(Thief.Page + 8), 300 << 1}};
  graupel_dsm_poll_acquire(Set, 4);
  EXPECT_EQ(Slow.Seen, (std::vector<std::pair<uintptr_t, bool>>{
                           {Thief.Page, false},
                           {Thief.Page + 128, true},
                           {Thief.Page + 256, true}}));
}

/// What is resumed too early is asked for again, in any order, and the thread
/// does not go on before all of it is there.
TEST(Faults, WhatIsResumedTooEarlyIsAskedForAgain) {
  for (bool NewestFirst : {false, true}) {
    prepareSlow();
    Slow.NewestFirst = NewestFirst;
    Slow.Refusals = 60;
    graupel_dsm_store(at(Thief.Page), 2 * PageBytes);
    EXPECT_EQ(Slow.Seen.size(), 64u + 30);
    EXPECT_LE(Slow.MostOpen, size_t(TEMPEST_MAX_FAULTS));
    for (size_t O = 0; O != 2 * PageBytes; O += BlockBytes)
      EXPECT_EQ(tempest_get_tag(at(Thief.Page + O)), TEMPEST_READ_WRITE);
  }
}

/// Threads that wait for the same blocks, each with a window of its own.
TEST(Faults, WindowsOfThreadsDoNotMixUp) {
  prepareSlow();
  test::onThreads(4, [](int I) {
    graupel_dsm_store(at(Thief.Page + size_t(I) * 1024), 2 * PageBytes);
  });
  for (size_t O = 0; O != 2 * PageBytes + 3 * 1024; O += BlockBytes)
    EXPECT_EQ(tempest_get_tag(at(Thief.Page + O)), TEMPEST_READ_WRITE) << O;
  EXPECT_LE(Slow.MostOpen, 4u * TEMPEST_MAX_FAULTS);
}

TEST(Faults, OutsideOfTheRegionNothingIsRefused) {
  prepare({0});
  graupel_dsm_range Set[] = {{nullptr, 100 << 1 | 1},
                             {at(64 << 10), 1 << 1},
                             {&Thief, sizeof(Thief) << 1 | 1},
                             {at(~uintptr_t(0) - 10), 1000 << 1 | 1}};
  graupel_dsm_poll_acquire(Set, 4);
  EXPECT_TRUE(Thief.Granted.empty());
}

TEST(Faults, ThreadsOfANodeShareWhatOneGets) {
  prepare({0});
  test::onThreads(3, [](int) { graupel_dsm_store(at(Thief.Page), 8); });
  EXPECT_EQ(Thief.Granted.size(), 1u);
}

/// Two threads want the same blocks in opposite orders while a third takes what
/// is not held: all get what they want.
TEST(Faults, SetsOfThreadsDoNotBlockEachOther) {
  prepare({0, 4096, 8192});
  std::atomic<int> Done{0};
  test::onThreads(3, [&](int I) {
    graupel_dsm_range Set[] = {{at(Thief.Blocks[I]), 8 << 1 | 1},
                               {at(Thief.Blocks[(I + 1) % 3]), 8 << 1 | 1},
                               {at(Thief.Blocks[(I + 2) % 3]), 8 << 1 | 1}};
    for (int K = 0; K != 300; ++K)
      graupel_dsm_poll_acquire(Set, 3);
    ++Done;
  });
  EXPECT_EQ(Done, 3);
}

} // namespace
