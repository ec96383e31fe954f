//===- unit/HotThresholdTest.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Split/HotThreshold.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <vector>

using namespace graupel;
using namespace graupel::test;

namespace {

struct Block {
  uint64_t Count, Instructions;
};

CountDistribution distribution(const std::vector<Block> &Blocks) {
  CountDistribution D;
  for (const Block &B : Blocks)
    D.add(B.Count, B.Instructions);
  return D;
}

std::vector<Block> randomBlocks(Random &R) {
  std::vector<Block> Blocks;
  const uint64_t MaxCount = 1 + R.below(R.oneIn(2) ? 5 : 100000);
  for (uint64_t I = 1 + R.below(60); I; --I)
    Blocks.push_back({R.oneIn(3) ? 0 : R.below(MaxCount), R.below(30)});
  return Blocks;
}

TEST(HotThreshold, NothingExecuted) {
  EXPECT_EQ(CountDistribution().executed(), 0u);
  EXPECT_EQ(CountDistribution().coldThreshold(0.5), 0u);
  EXPECT_EQ(distribution({{0, 100}}).coldThreshold(0), 0u);
  EXPECT_EQ(distribution({{0, 100}}).executed(), 0u);
}

TEST(HotThreshold, Executed) {
  const CountDistribution D = distribution({{0, 50}, {3, 10}, {3, 1}, {7, 2}});
  EXPECT_EQ(D.executed(), 3u * 11 + 7u * 2);
  EXPECT_EQ(D.executedAtMost(0), 0u);
  EXPECT_EQ(D.executedAtMost(2), 0u);
  EXPECT_EQ(D.executedAtMost(3), 33u);
  EXPECT_EQ(D.executedAtMost(6), 33u);
  EXPECT_EQ(D.executedAtMost(~0ull), D.executed());
}

TEST(HotThreshold, WithoutAShareOnlyWhatNeverRanIsCold) {
  EXPECT_EQ(distribution({{0, 5}, {1, 1}, {1000, 10}}).coldThreshold(0), 0u);
}

TEST(HotThreshold, TheWholeShareMakesEverythingCold) {
  EXPECT_EQ(distribution({{0, 5}, {1, 1}, {1000, 10}}).coldThreshold(1), 1000u);
}

TEST(HotThreshold, ExactlyTheShareIsAllowed) {
  // Ten of a thousand executed instructions are in the block that ran once.
  const std::vector<Block> Blocks = {{1, 10}, {99, 10}};
  EXPECT_EQ(distribution(Blocks).executed(), 1000u);
  EXPECT_EQ(distribution(Blocks).coldThreshold(0.01), 1u);
  EXPECT_EQ(distribution(Blocks).coldThreshold(0.0099), 0u);
}

TEST(HotThreshold, BlocksOfOneCountStayTogether) {
  // One of the two would be within the share, both are not.
  EXPECT_EQ(distribution({{1, 10}, {1, 10}, {98, 10}}).coldThreshold(0.015),
            0u);
}

TEST(HotThreshold, LargeCountsSaturate) {
  const CountDistribution D = distribution({{~0ull, 1000}, {1, 1}});
  EXPECT_EQ(D.executed(), ~0ull);
  EXPECT_EQ(D.coldThreshold(0.01), 1u);
}

TEST(HotThreshold, Print) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  distribution({{1, 10}, {99, 10}}).print(OS, 1);
  distribution({}).print(OS, 0);
  EXPECT_EQ(Text, "threshold 1: 1.00 % of 1000 executed instructions are cold\n"
                  "threshold 0: 0.00 % of 0 executed instructions are cold\n");
}

constexpr double Shares[] = {0, 0.001, 0.01, 0.05, 0.3, 0.5, 0.999, 1};

TEST(HotThresholdProperty, TheShareIsNeverExceeded) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const CountDistribution D = distribution(randomBlocks(R));
    for (double Share : Shares)
      EXPECT_LE(D.executedAtMost(D.coldThreshold(Share)),
                Share * static_cast<double>(D.executed()))
          << "share " << Share;
  }
}

TEST(HotThresholdProperty, NoLargerCountWouldDo) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const std::vector<Block> Blocks = randomBlocks(R);
    const CountDistribution D = distribution(Blocks);
    for (double Share : Shares) {
      const uint64_t Threshold = D.coldThreshold(Share);
      for (const Block &B : Blocks)
        if (B.Count > Threshold) {
          EXPECT_GT(D.executedAtMost(B.Count),
                    Share * static_cast<double>(D.executed()))
              << "share " << Share << ", count " << B.Count;
        }
    }
  }
}

TEST(HotThresholdProperty, AMoreGenerousShareIsNeverColder) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const CountDistribution D = distribution(randomBlocks(R));
    uint64_t Last = 0;
    for (double Share : Shares) {
      EXPECT_GE(D.coldThreshold(Share), Last) << "share " << Share;
      Last = D.coldThreshold(Share);
    }
  }
}

TEST(HotThresholdProperty, OrderOfTheBlocksDoesNotMatter) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    std::vector<Block> Blocks = randomBlocks(R);
    const CountDistribution D = distribution(Blocks);
    for (size_t I = Blocks.size(); I > 1; --I)
      std::swap(Blocks[I - 1], Blocks[R.below(I)]);
    const CountDistribution Shuffled = distribution(Blocks);
    EXPECT_EQ(D.executed(), Shuffled.executed());
    for (double Share : Shares)
      EXPECT_EQ(D.coldThreshold(Share), Shuffled.coldThreshold(Share));
  }
}

} // namespace
