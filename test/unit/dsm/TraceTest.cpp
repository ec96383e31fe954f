//===- TraceTest.cpp - What a node remembers for the report ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace/Recorder.h"
#include <cstring>
#include <gtest/gtest.h>
#include <map>

using namespace graupel::dsm;
using namespace graupel::dsm::trace;

namespace {

constexpr uintptr_t At = 0x10000;

graupel_dsm_range range(uintptr_t Offset, uint64_t Bytes, bool Store = false) {
  return {reinterpret_cast<void *>(At + Offset), Bytes << 1 | Store};
}

/// A block of 256 bytes, before and after others had it.
struct ComparisonTest : testing::Test {
  static constexpr uint32_t Size = 256;
  uint8_t Old[Size] = {}, New[Size] = {};

  Comparison access(uintptr_t Offset, uint64_t Bytes) {
    graupel_dsm_range R = range(Offset, Bytes);
    return compare(Old, New, At, Size, &R, 1);
  }
};

TEST_F(ComparisonTest, NothingChanged) {
  EXPECT_EQ(access(0, 8).Why, Cause::Unchanged);
}

TEST_F(ComparisonTest, BytesOfTheAccessChanged) {
  New[15] = 1;
  EXPECT_EQ(access(8, 8).Why, Cause::TrueSharing);
  EXPECT_EQ(access(15, 1).Why, Cause::TrueSharing);
  EXPECT_EQ(access(14, 1).Why, Cause::FalseSharing);
  EXPECT_EQ(access(16, 8).Why, Cause::FalseSharing);
}

TEST_F(ComparisonTest, SmallerBlocksKeepChangesApart) {
  New[200] = 1;
  EXPECT_EQ(access(0, 8).ApartAt, 128u);
  EXPECT_EQ(access(120, 8).ApartAt, 128u);
  EXPECT_EQ(access(128, 8).ApartAt, 64u);
  EXPECT_EQ(access(224, 8).ApartAt, 32u);
  EXPECT_EQ(access(208, 8).ApartAt, 0u);
  // On both sides of a border.
  EXPECT_EQ(access(120, 16).ApartAt, 64u);
}

TEST_F(ComparisonTest, RangesReachOutOfTheBlock) {
  New[0] = 1;
  graupel_dsm_range Before = {reinterpret_cast<void *>(At - 100), 200u << 1};
  EXPECT_EQ(compare(Old, New, At, Size, &Before, 1).Why, Cause::TrueSharing);
  graupel_dsm_range Elsewhere = {reinterpret_cast<void *>(At - 100), 100u << 1};
  EXPECT_EQ(compare(Old, New, At, Size, &Elsewhere, 1).Why,
            Cause::FalseSharing);
  graupel_dsm_range Endless = {reinterpret_cast<void *>(At + 8), ~uint64_t(0)
                                                                     << 1};
  EXPECT_EQ(compare(Old, New, At, Size, &Endless, 1).Why, Cause::FalseSharing);
}

TEST_F(ComparisonTest, AllRangesCount) {
  New[100] = 1;
  graupel_dsm_range Two[] = {range(0, 8), range(96, 8)};
  EXPECT_EQ(compare(Old, New, At, Size, Two, 2).Why, Cause::TrueSharing);
}

TEST(HistogramTest, BucketsHoldWhatTheySay) {
  for (unsigned I = 0; I + 1 < Histogram::Buckets; ++I) {
    EXPECT_EQ(Histogram::bucket(Histogram::least(I)), I);
    EXPECT_EQ(Histogram::bucket(Histogram::least(I + 1) - 1), I);
  }
  EXPECT_EQ(Histogram::bucket(~uint64_t(0)), Histogram::Buckets - 1);
}

struct Kind {
  int Number;
  bool operator==(const Kind &) const = default;
  size_t hash() const { return size_t(Number); }
};

TEST(BoundedTest, GoesOnByPageAndChunk) {
  Bounded<Kind, int> Table(2);
  auto Add = [&](uintptr_t Block) {
    int *Value = Table.at({Block * 128, 128}, {0});
    if (Value)
      ++*Value;
    return Value != nullptr;
  };
  // Blocks of page 0: two by themselves, others by page.
  for (unsigned I = 0; I != 6; ++I)
    EXPECT_TRUE(Add(I));
  // Pages 1 fits, 2 and 3 go by chunk 0; then chunk 1, and chunk 2 is too much.
  for (unsigned Page = 1; Page != 4; ++Page)
    EXPECT_TRUE(Add(Page * 32));
  EXPECT_TRUE(Add(1u << 15));
  EXPECT_FALSE(Add(2u << 15));
  // Those that are there go on being counted.
  EXPECT_TRUE(Add(0));

  std::map<std::pair<uintptr_t, uint32_t>, int> Counts;
  Table.forEach([&](const Unit &U, const Kind &, int Count) {
    Counts[{U.Address, U.Bytes}] = Count;
  });
  std::map<std::pair<uintptr_t, uint32_t>, int> Expected = {
      {{0, 128}, 2},     {{128, 128}, 1},   {{0, 4096}, 4},
      {{4096, 4096}, 1}, {{0, 4 << 20}, 2}, {{4 << 20, 4 << 20}, 1}};
  EXPECT_EQ(Counts, Expected);
}

TEST(OldContentsTest, KeepsWithinTheLimit) {
  OldContents Old(128);
  char A[64] = "a", B[64] = "b";
  Old.keep(0, A, 64);
  Old.keep(64, B, 64);
  Old.keep(128, A, 64);
  EXPECT_STREQ(static_cast<const char *>(Old.find(0)), "a");
  EXPECT_EQ(Old.find(128), nullptr);
  EXPECT_TRUE(Old.had(128));
  EXPECT_FALSE(Old.had(192));
  Old.forget(0, 64);
  EXPECT_FALSE(Old.had(0));
  // There is room again.
  Old.keep(128, B, 64);
  EXPECT_STREQ(static_cast<const char *>(Old.find(128)), "b");
}

/// A node of one thread, with blocks of 128 bytes.
struct RecorderTest : testing::Test {
  static constexpr uint32_t Size = 128;
  Recorder R;
  char Block[Size] = {};
  uint64_t Now = 0;

  /// A miss of `Bytes` bytes at an offset; its data come if they are given.
  bool miss(uintptr_t Offset, uint64_t Bytes, bool Store, const char *Data,
            bool Readable = false, bool Permitted = true) {
    graupel_dsm_range Range = range(Offset, Bytes, Store);
    Miss M;
    M.Ranges = &Range;
    M.Count = 1;
    M.Pc = 0x1234;
    M.Block = At + Offset / Size * Size;
    M.Size = Size;
    M.Store = Store;
    R.begin(M, Readable);
    if (Data)
      R.arrives(M.Block, Size, Data);
    return R.end(M, 1, Permitted, 10, ++Now);
  }
  void lose(uintptr_t Offset = 0) { R.leaves(At + Offset, Size, Block); }
  uint64_t count(Cause Why, bool Store = false) {
    uint64_t Sum = 0;
    R.misses().forEach([&](const Unit &, const Recorder::MissKind &K,
                           const Recorder::MissCount &C) {
      if (K.Why == Why && K.Store == Store)
        Sum += C.Count;
    });
    return Sum;
  }
  Recorder::BlockCount block(uintptr_t Offset = 0) {
    Recorder::BlockCount Found;
    R.blocks().forEach([&](const Unit &U, const Recorder::NoDetail &,
                           const Recorder::BlockCount &C) {
      if (U.Address == At + Offset)
        Found = C;
    });
    return Found;
  }
};

TEST_F(RecorderTest, FirstMissIsCold) {
  miss(0, 8, false, Block);
  EXPECT_EQ(count(Cause::Cold), 1u);
}

TEST_F(RecorderTest, LossAndReturn) {
  miss(0, 8, false, Block);
  lose();
  miss(0, 8, false, Block);
  EXPECT_EQ(count(Cause::Unchanged), 1u);
  lose();
  Block[4] = 1;
  miss(0, 8, true, Block);
  EXPECT_EQ(count(Cause::TrueSharing, true), 1u);
  lose();
  Block[64] = 1;
  miss(0, 8, false, Block);
  EXPECT_EQ(count(Cause::FalseSharing), 1u);
  EXPECT_EQ(block().Lost, 3u);
  EXPECT_EQ(block().ApartAt[1], 1u); // 64 bytes
}

TEST_F(RecorderTest, UpgradeIsOneUnlessTheBlockIsTaken) {
  miss(0, 8, false, Block);
  miss(0, 8, true, nullptr, /*Readable=*/true);
  EXPECT_EQ(count(Cause::Upgrade, true), 1u);

  // Somebody else was first: the block leaves and comes back changed.
  graupel_dsm_range Range = range(0, 8, true);
  Miss M{&Range, 1, 0x1234, At, Size, true};
  R.begin(M, /*Readable=*/true);
  lose();
  Block[0] = 1;
  R.arrives(At, Size, Block);
  R.end(M, 1, true, 10, ++Now);
  EXPECT_EQ(count(Cause::Upgrade, true), 1u);
  EXPECT_EQ(count(Cause::TrueSharing, true), 1u);
}

TEST_F(RecorderTest, StepsAreNoMisses) {
  EXPECT_FALSE(miss(0, 8, false, nullptr, false, /*Permitted=*/false));
  EXPECT_EQ(count(Cause::Cold), 0u);
  // Taken away again before the thread looked: that was one.
  EXPECT_TRUE(miss(0, 8, false, Block, false, /*Permitted=*/false));
  EXPECT_EQ(count(Cause::Cold), 1u);
}

TEST_F(RecorderTest, EachThreadComparesItsOwnBytes) {
  miss(0, 8, false, Block);
  lose();
  Block[100] = 1;
  graupel_dsm_range One = range(0, 8), Other = range(96, 8);
  Miss A{&One, 1, 1, At, Size, false}, B{&Other, 1, 2, At, Size, false};
  R.begin(A, false);
  R.begin(B, false);
  R.arrives(At, Size, Block);
  R.end(A, 1, true, 10, ++Now);
  R.end(B, 1, true, 10, ++Now);
  EXPECT_EQ(count(Cause::FalseSharing), 1u);
  EXPECT_EQ(count(Cause::TrueSharing), 1u);
}

TEST_F(RecorderTest, SequencesInBothDirections) {
  for (unsigned I = 0; I != 4; ++I)
    miss(I * Size, 8, false, Block);
  miss(10 * Size, 8, false, Block);
  miss(9 * Size, 8, false, Block);
  uint64_t Sum = 0;
  for (unsigned I = 0; I != 11; ++I)
    Sum += block(I * Size).Sequential;
  EXPECT_EQ(Sum, 4u);
  EXPECT_EQ(block(9 * Size).Sequential, 1u);
}

TEST_F(RecorderTest, LogsMissesWithTheirBytesAndEpoch) {
  miss(8, 16, false, Block);
  R.barrier(/*BeginsParallel=*/true);
  R.barrier(/*BeginsParallel=*/true);
  miss(Size + 120, 40, true, Block); // Reaches over the block's end.
  miss(0, 8, false, nullptr, false, /*Permitted=*/false); // A step only.
  const std::vector<MissEvent> &Log = R.log().events();
  ASSERT_EQ(Log.size(), 2u);
  EXPECT_EQ(Log[0].First, At + 8);
  EXPECT_EQ(Log[0].Last, At + 23);
  EXPECT_EQ(Log[0].Epoch, 0u);
  EXPECT_FALSE(Log[0].Store);
  EXPECT_EQ(Log[1].First, At + Size + 120);
  EXPECT_EQ(Log[1].Last, At + 2 * Size - 1);
  EXPECT_EQ(Log[1].Epoch, 2u);
  EXPECT_EQ(Log[1].Home, 1);
  EXPECT_TRUE(Log[1].Store);
  EXPECT_LT(Log[0].Ticks, Log[1].Ticks);
  EXPECT_EQ(R.firstParallel(), 1u);
}

TEST(MissLogTest, KeepsWholePagesWhenItIsFull) {
  constexpr unsigned Pages = 64, Each = 10;
  MissLog Log(100);
  for (unsigned I = 0; I != Each; ++I)
    for (uintptr_t Page = 0; Page != Pages; ++Page)
      Log.add({I, Page * 4096, Page * 4096 + 7, 0, 0, 0, false, false});
  EXPECT_GT(Log.halvings(), 0u);
  EXPECT_FALSE(Log.overflowed());
  EXPECT_LE(Log.events().size(), 100u);
  std::map<uintptr_t, unsigned> Counts;
  for (const MissEvent &E : Log.events())
    ++Counts[E.First];
  EXPECT_FALSE(Counts.empty());
  for (auto [Page, Count] : Counts)
    EXPECT_EQ(Count, Each) << Page;
}

TEST(MissLogTest, SaysThatOnePageIsTooMuch) {
  MissLog Log(10);
  for (unsigned I = 0; I != 11; ++I)
    Log.add({I, 0, 7, 0, 0, 0, false, false});
  EXPECT_TRUE(Log.overflowed());
}

__attribute__((noinline)) CallPath pathOfThis() {
  CallPath P =
      callPathAbove(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
  asm volatile("" ::: "memory"); // No tail call.
  return P;
}

__attribute__((noinline)) CallPath pathOfCaller(uintptr_t &Return) {
  Return = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  CallPath P = pathOfThis();
  asm volatile("" ::: "memory");
  return P;
}

TEST(CallPathTest, BeginsWithTheCallersCaller) {
  uintptr_t Return = 0;
  CallPath Path = pathOfCaller(Return);
  EXPECT_EQ(Path[0], Return);
  EXPECT_NE(Path[1], 0u);
  // An address that is not on the stack has no callers.
  EXPECT_EQ(callPathAbove(1)[0], 0u);
}

TEST(RecorderLimitTest, SaysWhatDidNotFit) {
  Recorder R(Limits{1, 1, 0});
  R.allocated(At, 128, 128, 0, 0x1);
  R.allocated(At + 128, 128, 128, 0, 0x2);
  EXPECT_EQ(R.leftOut().Allocations, 1u);
  char Data[128] = {};
  R.leaves(At, 128, Data);
  graupel_dsm_range Range = range(0, 8);
  Miss M{&Range, 1, 0x3, At, 128, false};
  R.begin(M, false);
  R.arrives(At, 128, Data);
  R.end(M, 0, true, 1, 1);
  // Its place in the code did not fit, and no old contents.
  EXPECT_EQ(R.leftOut().Places, 1u);
  unsigned Seen = 0;
  R.misses().forEach([&](const Unit &, const Recorder::MissKind &K,
                         const Recorder::MissCount &) {
    ++Seen;
    EXPECT_EQ(K.Place, 0u);
    EXPECT_EQ(K.Why, Cause::NotCompared);
  });
  EXPECT_EQ(Seen, 1u);
}

} // namespace
