//===- unit/FlowPredictionTest.cpp ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HotCold/FlowPrediction.h"
#include "gtest/gtest.h"

using namespace graupel;

namespace {

/// All counts may be off by so much of themselves.
constexpr double Off = 1e-4;

FlowBlock block(std::vector<uint32_t> Successors, std::vector<uint64_t> Counts,
                uint64_t Entries = 0, bool Hot = true) {
  return {std::move(Successors), std::move(Counts), Entries, Hot};
}

TEST(FlowPrediction, HotBlocksLoseWhatTurnedCold) {
  // 0 -> 1 (90) or 2 (10, cold); both -> 3.
  const auto Counts =
      predictFlow({block({1, 2}, {90, 10}, 100), block({3}, {90}),
                   block({3}, {10}, 0, /*Hot=*/false), block({}, {})});
  ASSERT_TRUE(Counts);
  EXPECT_NEAR(Counts->Hot[0], 100, 100 * Off);
  EXPECT_NEAR(Counts->Hot[1], 90, 90 * Off);
  EXPECT_EQ(Counts->Hot[2], 0);
  EXPECT_NEAR(Counts->Hot[3], 90, 90 * Off);
  EXPECT_NEAR(Counts->Cold[2], 10, 10 * Off);
  EXPECT_NEAR(Counts->Cold[3], 10, 10 * Off);
}

TEST(FlowPrediction, ALongLoop) {
  // Left once in a hundred thousand rounds.
  const auto Counts = predictFlow(
      {block({1}, {1}, 1), block({1, 2}, {99999, 1}), block({}, {})});
  ASSERT_TRUE(Counts);
  EXPECT_NEAR(Counts->Hot[1], 100000, 100000 * Off);
  EXPECT_NEAR(Counts->Hot[2], 1, Off);
}

TEST(FlowPrediction, LoopsInLoops) {
  // Three loops, each left once in a thousand rounds, with bodies of two
  // blocks.
  const auto Counts = predictFlow(
      {block({1}, {1}, 1), block({2}, {1}), block({3}, {1}), block({4}, {1}),
       block({3, 5}, {999, 1}), block({2, 6}, {999, 1}),
       block({1, 7}, {999, 1}), block({}, {})});
  ASSERT_TRUE(Counts);
  EXPECT_NEAR(Counts->Hot[1], 1e3, 1e3 * Off);
  EXPECT_NEAR(Counts->Hot[2], 1e6, 1e6 * Off);
  EXPECT_NEAR(Counts->Hot[4], 1e9, 1e9 * Off);
  EXPECT_NEAR(Counts->Hot[7], 1, Off);
}

TEST(FlowPrediction, ALoopOfTwoEntries) {
  // 0 enters at 1 and at 2, which lead to each other; each leaves once in a
  // hundred.
  const auto Counts =
      predictFlow({block({1, 2}, {50, 50}, 100), block({2, 3}, {99, 1}),
                   block({1, 3}, {99, 1}), block({}, {})});
  ASSERT_TRUE(Counts);
  EXPECT_NEAR(Counts->Hot[1], 5000, 5000 * 1e-2);
  EXPECT_NEAR(Counts->Hot[2], 5000, 5000 * 1e-2);
  EXPECT_NEAR(Counts->Hot[3], 100, 1);
}

TEST(FlowPrediction, AColdWayOutOfALoopTakesAllLaterRounds) {
  // The loop goes round 100 times; one round in 100 comes by cold block 2.
  const auto Counts = predictFlow({block({1}, {1}, 1), block({3, 2}, {99, 1}),
                                   block({3}, {1}, 0, /*Hot=*/false),
                                   block({1, 4}, {99, 1}), block({}, {})});
  ASSERT_TRUE(Counts);
  const double Rounds = 1 / (1 - 0.99 * 0.99);
  EXPECT_NEAR(Counts->Hot[1], Rounds, Rounds * Off);
  EXPECT_NEAR(Counts->Hot[1] + Counts->Cold[1], 100, 100 * Off);
}

TEST(FlowPrediction, NothingLeavesALoop) {
  EXPECT_FALSE(predictFlow({block({1}, {1}, 1), block({1}, {1000})}));
  EXPECT_FALSE(predictFlow(
      {block({1}, {1}, 1), block({2}, {1000}), block({1}, {1000})}));
}

} // namespace
