//===- CacheTest.cpp - Simulated caches against plain ones ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache/Nearest.h"
#include "Cache/Reuse.h"
#include "Cache/Sharing.h"
#include "Cache/Spec.h"
#include "Cache/Tlb.h"
#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <list>
#include <map>
#include <random>
#include <set>
#include <unistd.h>
#include <vector>

using namespace graupel::stride;

namespace {

/// Lines of sets in lists; with LRU the latest first.
class Plain {
public:
  Plain(uint32_t Lines, uint32_t Ways, Replacement Policy)
      : Ways(Ways), Policy(Policy), Sets(Lines / Ways) {}

  /// Whether the block was there.
  bool refer(uint64_t Block) {
    std::vector<uint64_t> &Set = Sets[Block % Sets.size()];
    auto Found = std::find(Set.begin(), Set.end(), Block);
    if (Found != Set.end()) {
      if (Policy == Replacement::LRU)
        std::rotate(Set.begin(), Found, Found + 1);
      return true;
    }
    if (Policy == Replacement::LRU) {
      Set.insert(Set.begin(), Block);
      Set.resize(std::min<size_t>(Set.size(), Ways));
    } else if (Set.size() < Ways) {
      Set.push_back(Block);
    } else {
      Set[Chance.below(Ways)] = Block;
    }
    return false;
  }

private:
  uint32_t Ways;
  Replacement Policy;
  Random Chance;
  std::vector<std::vector<uint64_t>> Sets;
};

struct Shape {
  uint32_t Lines, Ways;
};
constexpr Shape Shapes[] = {{1, 1},     {8, 1},    {64, 1},     {8, 8},
                            {64, 8},    {48, 4},   {36, 12},    {320, 20},
                            {512, 8},   {24, 24},  {40, 40},    {256, 256},
                            {1024, 16}, {192, 64}, {1024, 1024}};
constexpr Replacement Policies[] = {Replacement::LRU, Replacement::Random};

/// Blocks that come again soon, later, at set's distances, or never.
std::vector<uint64_t> trace(unsigned Seed, uint32_t Lines, size_t Count) {
  std::mt19937_64 Next(Seed);
  std::vector<uint64_t> Result;
  uint64_t Walk = 1 << 20;
  while (Result.size() < Count)
    switch (Next() % 5) {
    case 0:
      Result.push_back(Next() % (Lines / 2 + 1));
      break;
    case 1:
      Result.push_back(Next() % (2 * Lines + 1));
      break;
    case 2:
      Result.push_back((Next() % 24) * Lines);
      break;
    case 3:
      Result.push_back(Walk++);
      break;
    default:
      Result.push_back(Result.empty() ? 0 : Result.back());
    }
  return Result;
}

CacheLevelRecord level(const Shape &S, Replacement Policy) {
  CacheLevelRecord L{};
  L.Bytes = uint64_t(S.Lines) * 64;
  L.Ways = S.Ways;
  L.LineBytes = 64;
  L.Policy = Policy;
  return L;
}

template <class Check> void forAll(Check Each) {
  for (const Shape &S : Shapes)
    for (Replacement Policy : Policies)
      for (unsigned Seed = 1; Seed <= 3; ++Seed) {
        SCOPED_TRACE(testing::Message()
                     << S.Lines << " lines, " << S.Ways << " ways, "
                     << (Policy == Replacement::LRU ? "lru" : "random")
                     << ", seed " << Seed);
        Each(S, Policy, trace(Seed, S.Lines, 20000));
      }
}

} // namespace

TEST(CacheTest, SetsAreAsPlainOnes) {
  forAll([](const Shape &S, Replacement Policy,
            const std::vector<uint64_t> &Trace) {
    Sets Fast(S.Lines, S.Ways, Policy);
    Plain Slow(S.Lines, S.Ways, Policy);
    for (size_t N = 0; N < Trace.size(); ++N) {
      uint32_t Slot = Fast.find(Trace[N]);
      ASSERT_EQ(Slot != Sets::None, Slow.refer(Trace[N])) << N;
      if (Slot != Sets::None)
        Fast.touch(Slot);
      else
        Fast.put(Fast.victim(Trace[N]), Trace[N]);
    }
  });
}

TEST(CacheTest, TheFirstLevelIsAsAPlainOneWithAnIdealBeside) {
  forAll([](const Shape &S, Replacement Policy,
            const std::vector<uint64_t> &Trace) {
    Nearest Fast(level(S, Policy));
    Plain Slow(S.Lines, S.Ways, Policy);
    Plain Ideal(S.Lines, S.Lines, Replacement::LRU);
    std::set<uint64_t> Known;
    for (size_t N = 0; N < Trace.size(); ++N) {
      uint64_t Block = Trace[N];
      bool There = Slow.refer(Block), InIdeal = Ideal.refer(Block);
      bool New = Known.insert(Block).second;
      NearLine *L = Fast.find(Block);
      ASSERT_EQ(L != nullptr, There) << N;
      if (L) {
        Fast.touch(*L);
        continue;
      }
      MissClass Expected = New       ? MissClass::Compulsory
                           : InIdeal ? MissClass::Conflict
                                     : MissClass::Capacity;
      ASSERT_EQ(Fast.classify(Block).Class, Expected) << N;
      Fast.put(Fast.victim(Block), Block, 0);
    }
  });
}

TEST(CacheTest, OtherLevelsAreClassified) {
  forAll([](const Shape &S, Replacement Policy,
            const std::vector<uint64_t> &Trace) {
    Level Fast(level(S, Policy));
    Plain Slow(S.Lines, S.Ways, Policy);
    Plain Ideal(S.Lines, S.Lines, Replacement::LRU);
    std::set<uint64_t> Known;
    for (size_t N = 0; N < Trace.size(); ++N) {
      bool There = Slow.refer(Trace[N]), InIdeal = Ideal.refer(Trace[N]);
      bool New = Known.insert(Trace[N]).second;
      Miss Why{};
      ASSERT_EQ(Fast.refer(Trace[N] * 64 + N % 57, 8, 0, Why), !There) << N;
      if (There)
        continue;
      ASSERT_EQ(Why.Class, New       ? MissClass::Compulsory
                           : InIdeal ? MissClass::Conflict
                                     : MissClass::Capacity)
          << N;
    }
  });
}

TEST(CacheTest, AReferenceToTwoLinesMissesOnce) {
  Level L(level({8, 2}, Replacement::LRU));
  Miss Why{};
  EXPECT_TRUE(L.refer(60, 8, 0, Why));
  EXPECT_FALSE(L.refer(0, 8, 0, Why));
  EXPECT_FALSE(L.refer(64, 8, 0, Why));
  EXPECT_TRUE(L.refer(124, 8, 0, Why)); // One of them is there.
  EXPECT_EQ(Why.Class, MissClass::Compulsory);
}

TEST(CacheTest, ConflictsNameWhoDroveTheLineOut) {
  Level L(level({4, 1}, Replacement::LRU));
  Miss Why{};
  L.refer(0, 8, 7, Why);
  L.refer(256, 8, 9, Why);
  EXPECT_TRUE(L.refer(0, 8, 7, Why));
  EXPECT_EQ(Why.Class, MissClass::Conflict);
  EXPECT_EQ(Why.Evictor, 9u);
}

TEST(CacheTest, TlbIsLru) {
  for (uint32_t Ways : {1u, 4u, 16u}) {
    Tlb Fast(16, Ways);
    Plain Slow(16, Ways, Replacement::LRU);
    for (uint64_t Page : trace(5, 16, 10000)) {
      ASSERT_EQ(Fast.useSecond(Page) || Fast.use(Page), Slow.refer(Page));
      ASSERT_EQ(Fast.latest()[Page & Fast.latestMask()], Page);
    }
  }
}

TEST(CacheTest, ReuseCountsDifferentLines) {
  Reuse Fast(0);
  std::list<uint64_t> Order;
  for (uint64_t Block : trace(3, 700, 60000)) {
    ASSERT_TRUE(Fast.isSampled(Block));
    uint32_t Number = Fast.numberOf(Block);
    auto Found = std::find(Order.begin(), Order.end(), Block);
    ASSERT_EQ(Number != 0, Found != Order.end());
    if (Number) {
      ASSERT_EQ(Fast.distance(Number), std::distance(Order.begin(), Found));
      Order.erase(Found);
    } else {
      Fast.add(Block);
    }
    Order.push_front(Block);
    if (Order.size() > 3000)
      break;
  }
  EXPECT_EQ(Reuse::bin(0), 0u);
  EXPECT_EQ(Reuse::bin(1), 1u);
  EXPECT_EQ(Reuse::bin(2), 2u);
  EXPECT_EQ(Reuse::bin(3), 2u);
  EXPECT_EQ(Reuse::bin(~0u), ReuseBins - 1);
}

TEST(CacheTest, AboutOneOfSixteenLinesIsSampled) {
  Reuse R(4);
  unsigned Count = 0;
  for (uint64_t Block = 1000; Block < 101000; ++Block)
    Count += R.isSampled(Block);
  EXPECT_NEAR(Count, 100000 / 16, 300);
}

TEST(CacheTest, Specifications) {
  CachesRecord C;
  ASSERT_EQ(
      parseCaches("L1:32K:8:64/L2:1M:full:128:random/tlb:64:4:4K", C, false),
      nullptr);
  EXPECT_EQ(C.LevelCount, 2u);
  EXPECT_STREQ(C.Levels[0].Name, "L1");
  EXPECT_EQ(C.Levels[0].Bytes, 32768u);
  EXPECT_EQ(C.Levels[0].Shared, 0u);
  EXPECT_EQ(C.Levels[1].Ways, 8192u);
  EXPECT_EQ(C.Levels[1].Policy, Replacement::Random);
  EXPECT_EQ(C.Levels[1].Shared, 1u);
  EXPECT_EQ(C.TlbEntries, 64u);
  EXPECT_EQ(C.PageBytes, 4096u);
  ASSERT_EQ(parseCaches("dtj", C, false), nullptr);
  EXPECT_EQ(C.LevelCount, 1u);
  EXPECT_EQ(C.Levels[0].Bytes, 4u << 20);
  EXPECT_EQ(C.Levels[0].Ways, 1u);
  EXPECT_EQ(C.Levels[0].LineBytes, 64u);
  ASSERT_EQ(parseCaches("", C, false), nullptr);
  EXPECT_GE(C.LevelCount, 1u);
}

TEST(CacheTest, NonsenseIsRefused) {
  for (const char *Text :
       {"L1",
        "L1:32K:8",
        "L1:32K:8:64:lru:more",
        ":32K:8:64",
        "FirstLevel:32K:8:64",
        "L1:0:8:64",
        "L1:-1:8:64",
        "L1:32X:8:64",
        "L1:32K:0:64",
        "L1:32K:3:64",
        "L1:32K:8:60",
        "L1:32K:8:4",
        "L1:32K:8:64:mru",
        "L1:100:1:64",
        "L1:32K:8:64/L1:64K:8:64",
        "L2:64K:8:64/L1:32K:8:64",
        "tlb:64:4:4K",
        "L1:32K:8:64/tlb:64:4:100",
        "L1:32K:8:64/tlb:64:5:4K",
        "L1:64K:8:4K/tlb:64:4:512",
        "L1:1K:1:64/L2:2K:1:64/L3:4K:1:64/L4:8K:1:64/L5:16K:1:64",
        "L1:16G:1:64",
        "L1:99999999999999999999:1:64",
        "/",
        "dtj2",
        "L1:32K:8:64/tlb:64:4:4K/tlb:64:4:4K"}) {
    CachesRecord C;
    EXPECT_NE(parseCaches(Text, C, false), nullptr) << Text;
  }
}

namespace {

/// Threads at one line, and what is counted.
class Meeting : public testing::Test, Owners {
protected:
  Meeting() {
    snprintf(Path, sizeof(Path), "/tmp/graupel-sharing-test.%d", getpid());
    File.create(Path);
    S = make<Sharing>(File, 64);
  }
  ~Meeting() { unlink(Path); }

  /// References of a thread, by whole numbers of time.
  void visit(uint32_t Thread, uint64_t Time, uint64_t Loads, uint64_t Stores,
             uint64_t Parts, uint64_t References = 0, uint64_t Length = 1) {
    uint64_t Now = References ? References : Time * 100;
    S->add(Thread, 4096,
           {Loads, Stores, Loads ? Parts : 0, Stores ? Parts : 0, 2 * Thread,
            2 * Thread + 1},
           {Time, Time + Length, Now}, *this);
  }
  std::pair<uint64_t, uint64_t> counts() {
    uint64_t True = 0, False = 0;
    char *Base = reinterpret_cast<char *>(&File.header());
    for (uint64_t At = HeaderBytes; At < File.header().Used;) {
      auto *Chunk = reinterpret_cast<ChunkHeader *>(Base + At);
      auto *C = reinterpret_cast<SharingCounts *>(Chunk + 1);
      True += C->True;
      False += C->False;
      At = nextChunk(At, Chunk->Bytes);
    }
    return {True, False};
  }

private:
  Owner find(uint32_t, uint64_t) override { return {0, 0, 1 << 20, true}; }
  char Path[64];
  RecordFile File;
  Sharing *S;
};

using Counts = std::pair<uint64_t, uint64_t>;

} // namespace

TEST_F(Meeting, AloneNothingIsShared) {
  for (uint64_t T = 0; T < 100; ++T)
    visit(0, T, 10, 10, 1);
  EXPECT_EQ(counts(), Counts(0, 0));
}

TEST_F(Meeting, LoadsAloneAreNotShared) {
  for (uint64_t T = 0; T < 100; ++T)
    visit(T % 2, T, 10, 0, 1);
  EXPECT_EQ(counts(), Counts(0, 0));
}

TEST_F(Meeting, OtherBytesAreFalseSharing) {
  for (uint64_t T = 0; T < 100; ++T) {
    visit(0, T, 0, 10, 1);
    visit(1, T, 0, 10, 2);
  }
  // Each store but those of the first meeting.
  EXPECT_EQ(counts(), Counts(0, 99 * 20));
}

TEST_F(Meeting, TheSameBytesAreTrueSharing) {
  for (uint64_t T = 0; T < 100; ++T) {
    visit(0, T, 0, 10, 1);
    visit(1, T, 10, 0, 1);
  }
  EXPECT_EQ(counts(), Counts(99 * 10, 0));
}

TEST_F(Meeting, HandingOverIsNotSharing) {
  visit(0, 1, 0, 100, 1);
  visit(1, 10, 100, 0, 1);
  visit(2, 20, 100, 100, 1);
  EXPECT_EQ(counts(), Counts(0, 0));
}

TEST_F(Meeting, PhasesAreNotSharing) {
  // Many other references of each thread lie between its visits.
  for (uint64_t T = 0; T < 100; ++T)
    visit(T % 2, 10 * T, 8, 8, 1, 100000 * (T + 1));
  EXPECT_EQ(counts(), Counts(0, 0));
}

TEST_F(Meeting, ThreadsThatTakeTurnsOnOneProcessorShare) {
  // Neither runs while the other one does, and both go on where they were.
  uint64_t References[2] = {};
  for (uint64_t Turn = 0; Turn < 20; ++Turn)
    for (uint64_t T = 0; T < 10; ++T)
      visit(Turn % 2, 10 * Turn + T, 0, 50, 1 << Turn % 2,
            References[Turn % 2] += 100);
  auto [True, False] = counts();
  EXPECT_EQ(True, 0u);
  EXPECT_GT(False, 5000u);
}

TEST_F(Meeting, WhatOneHasTakenIsNotThereForAnother) {
  // The third thread was there while the others were, which did not meet.
  for (uint64_t T = 0; T < 100; T += 10) {
    visit(0, T, 0, 10, 1);
    visit(1, T + 5, 0, 10, 2);
    visit(2, T, 0, 10, 4, 0, 8);
  }
  auto [True, False] = counts();
  EXPECT_EQ(True, 0u);
  EXPECT_GT(False, 0u);
  EXPECT_LE(False, 300u);
}
