//===- SeveralTest.cpp - Several jobs at once -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Process/Several.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

using namespace graupel::environment;

namespace {

/// What ran, in the order in which it began, and what was in use at most.
struct Log {
  std::mutex Mutex;
  std::vector<size_t> Begun;
  uint64_t Memory = 0, MostMemory = 0;
  unsigned Jobs = 0, MostJobs = 0;

  void run(size_t Job, uint64_t Need) {
    {
      const std::lock_guard<std::mutex> Mine(Mutex);
      Begun.push_back(Job);
      MostMemory = std::max(MostMemory, Memory += Need);
      MostJobs = std::max(MostJobs, ++Jobs);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::lock_guard<std::mutex> Mine(Mutex);
    Memory -= Need;
    --Jobs;
  }
};

TEST(Several, EachRunsOnceWithinMemory) {
  const std::vector<uint64_t> Needs{1, 5, 2, 4, 3, 3, 2, 1, 1, 5};
  Log L;
  runSeveral(Needs, {4, 6}, [&](size_t Job) {
    L.run(Job, Needs[Job]);
    return true;
  });
  EXPECT_LE(L.MostMemory, 6u);
  EXPECT_LE(L.MostJobs, 4u);
  std::sort(L.Begun.begin(), L.Begun.end());
  std::vector<size_t> All(Needs.size());
  std::iota(All.begin(), All.end(), 0);
  EXPECT_EQ(L.Begun, All);
}

// With one worker, since several may note their first jobs in any order.
TEST(Several, ThoseThatNeedMostBeginFirst) {
  const std::vector<uint64_t> Needs{1, 5, 2, 4, 3, 3, 2, 1, 1, 5};
  std::vector<uint64_t> Begun;
  runSeveral(Needs, {1, 6}, [&](size_t Job) {
    Begun.push_back(Needs[Job]);
    return true;
  });
  EXPECT_EQ(Begun.front(), 5u);
  EXPECT_EQ(Begun, (std::vector<uint64_t>{5, 5, 4, 3, 3, 2, 2, 1, 1, 1}));
}

TEST(Several, WhatNeedsTooMuchRunsAlone) {
  const std::vector<uint64_t> Needs{100, 1, 1};
  Log L;
  runSeveral(Needs, {3, 10}, [&](size_t Job) {
    L.run(Job, Needs[Job]);
    return true;
  });
  EXPECT_EQ(L.Begun.size(), 3u);
  EXPECT_EQ(L.Begun.front(), 0u);
  EXPECT_EQ(L.MostMemory, 100u);
}

TEST(Several, AfterAFailureNoneBegins) {
  const std::vector<uint64_t> Needs{3, 2, 1};
  std::vector<size_t> Begun;
  runSeveral(Needs, {1, 10}, [&](size_t Job) {
    Begun.push_back(Job);
    return Job != 1;
  });
  EXPECT_EQ(Begun, (std::vector<size_t>{0, 1}));
}

TEST(Several, NoThreadIsLeft) {
  const std::vector<uint64_t> Needs(20, 1);
  auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                         {});
  };
  const auto Before = count();
  runSeveral(Needs, {8, 100}, [](size_t) { return true; });
  EXPECT_EQ(count(), Before);
}

TEST(Several, TheMachineHasSomething) {
  const Capacity There = Capacity::ofMachine();
  EXPECT_GE(There.Jobs, 1u);
  EXPECT_GT(There.Memory, uint64_t(1) << 20);
}

} // namespace
