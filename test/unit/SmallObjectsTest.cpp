//===- SmallObjectsTest.cpp - Tests of Memory/SmallObjects ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/SmallObjects.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace graupel::memory;
using graupel::test::Random;

namespace {

/// An object filled with a value of its own.
struct Filled {
  unsigned char *Object;
  size_t Size;
  unsigned char Value;

  Filled(size_t Size, unsigned char Value)
      : Object(static_cast<unsigned char *>(allocate(Size))), Size(Size),
        Value(Value) {
    std::memset(Object, Value, Size);
  }
  bool intact() const {
    for (size_t I = 0; I < Size; ++I)
      if (Object[I] != Value)
        return false;
    return true;
  }
};

size_t residentMB() {
  std::ifstream Stat("/proc/self/statm");
  size_t Total = 0, Resident = 0;
  Stat >> Total >> Resident;
  return Resident * 4096 >> 20;
}

TEST(SmallObjects, HaveRoomAndAreAligned) {
  for (size_t Size = 0; Size <= MaxSmall; ++Size) {
    void *Object = allocate(Size);
    ASSERT_NE(Object, nullptr);
    EXPECT_TRUE(owns(Object));
    EXPECT_GE(roomOf(Object), Size);
    // No more is wasted than a granule or an eighth.
    EXPECT_LE(roomOf(Object), std::max(Size + 15, Size + Size / 8 + 1));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(Object) % (Size <= 8 ? 8 : 16), 0u);
    deallocate(Object);
  }
}

TEST(SmallObjects, OwnsNothingElse) {
  int Local = 0;
  static int Global;
  EXPECT_FALSE(owns(&Local));
  EXPECT_FALSE(owns(&Global));
  EXPECT_FALSE(owns(nullptr));
  std::vector<char> Elsewhere(1 << 20);
  EXPECT_FALSE(owns(Elsewhere.data()));
}

TEST(SmallObjects, DoNotOverlap) {
  Random Rng(1);
  std::vector<Filled> Live;
  for (int Step = 0; Step < 200000; ++Step) {
    if (Live.size() < 3000 || Rng.below(2)) {
      // Mostly small, as programs have them.
      const size_t Most = Rng.below(8) ? 300 : MaxSmall;
      Live.emplace_back(Rng.below(Most + 1), Rng.below(256));
      continue;
    }
    const size_t I = Rng.below(Live.size());
    ASSERT_TRUE(Live[I].intact()) << "step " << Step;
    deallocate(Live[I].Object);
    Live[I] = Live.back();
    Live.pop_back();
  }
  for (const Filled &F : Live) {
    ASSERT_TRUE(F.intact());
    deallocate(F.Object);
  }
}

TEST(SmallObjects, GoFromThreadToThread) {
  std::mutex Lock;
  std::vector<Filled> Shared;
  std::vector<std::thread> Threads;
  std::atomic<bool> Broken = false;
  for (unsigned T = 0; T < 8; ++T)
    Threads.emplace_back([&, T] {
      Random Rng(T);
      for (int Round = 0; Round < 300; ++Round) {
        std::vector<Filled> Mine;
        for (int I = 0; I < 200; ++I)
          Mine.emplace_back(Rng.below(600), T);
        {
          std::lock_guard<std::mutex> Locked(Lock);
          Mine.swap(Shared);
        }
        for (const Filled &F : Mine) {
          Broken = Broken || !F.intact();
          deallocate(F.Object);
        }
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_FALSE(Broken);
  for (const Filled &F : Shared)
    deallocate(F.Object);
}

TEST(SmallObjects, MemoryOfOneSizeServesAnother) {
  auto use = [](size_t Size) {
    std::vector<void *> Objects;
    for (size_t Total = 0; Total < 256 << 20; Total += Size) {
      Objects.push_back(allocate(Size));
      std::memset(Objects.back(), 1, Size);
    }
    for (void *Object : Objects)
      deallocate(Object);
  };
  use(176);
  const size_t Before = residentMB();
  // What is kept for later does not add up.
  EXPECT_LE(Before, 256u);
  for (size_t Size : {128, 640, 1024, 5000})
    use(Size);
  EXPECT_LE(residentMB(), Before + 32);
}

TEST(SmallObjects, EndingThreadsLeaveNothing) {
  const size_t Before = residentMB();
  for (int Round = 0; Round < 2000; ++Round)
    std::thread([] {
      std::vector<void *> Objects;
      for (int I = 0; I < 100; ++I)
        Objects.push_back(allocate(2000));
      for (void *Object : Objects)
        deallocate(Object);
    }).join();
  EXPECT_LE(residentMB(), Before + 32);
}

} // namespace
