//===- unit/StaticFrequencyTest.cpp ---------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrument/StaticFrequency.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <cmath>
#include <numeric>

using namespace graupel;
using namespace graupel::test;

namespace {

StaticBlock block(std::vector<StaticBlock::Successor> Successors) {
  StaticBlock B;
  B.Successors = std::move(Successors);
  return B;
}

StaticBlock returning() {
  StaticBlock B;
  B.Returns = true;
  return B;
}

TEST(StaticFrequency, WhatPartsMeetsAgain) {
  std::vector<StaticBlock> Diamond = {block({{1, true}, {2}}), block({{3}}),
                                      block({{3, true}}), returning()};
  Diamond[0].IsEntry = true;
  const StaticFrequencies F = estimateFrequencies(Diamond);
  EXPECT_GT(F.Blocks[1], F.Blocks[2]) << "the next block in the file is likely";
  EXPECT_DOUBLE_EQ(F.Blocks[1] + F.Blocks[2], 1);
  EXPECT_DOUBLE_EQ(F.Blocks[3], 1);
}

TEST(StaticFrequency, DeadEndsAreRare) {
  std::vector<StaticBlock> Blocks = {block({{1, true}, {2}}), block({}),
                                     returning()};
  Blocks[0].IsEntry = true;
  const StaticFrequencies F = estimateFrequencies(Blocks);
  EXPECT_LT(F.Blocks[1], 0.01);
  EXPECT_GT(F.Blocks[2], 0.99);
}

TEST(StaticFrequency, LoopsRunSeveralTimes) {
  // 0 -> 1 (header) -> 2 -> 1, 1 -> 3.
  std::vector<StaticBlock> Blocks = {
      block({{1, true}}), block({{2, true}, {3}}), block({{1}}), returning()};
  Blocks[0].IsEntry = true;
  const StaticFrequencies F = estimateFrequencies(Blocks);
  EXPECT_GT(F.Blocks[1], 2);
  EXPECT_GT(F.Blocks[2], F.Blocks[3]);
}

TEST(StaticFrequency, InnerLoopsRunMoreOften) {
  // 1 and 2 are headers; 4 leaves the inner loop, not the outer one.
  std::vector<StaticBlock> Blocks = {
      block({{1, true}}),      block({{2, true}, {5}}), block({{3, true}, {4}}),
      block({{2}}),            block({{1}}),            returning()};
  Blocks[0].IsEntry = true;
  const StaticFrequencies F = estimateFrequencies(Blocks);
  EXPECT_GT(F.Blocks[2], 2 * F.Blocks[1]);
  EXPECT_GT(F.Probabilities[1][0], 0.5);
  EXPECT_GT(F.Probabilities[2][0], 0.5);
}

TEST(StaticFrequency, AnyGraphHasFiniteFrequencies) {
  Random R(5);
  for (unsigned Trial = 0; Trial < 500; ++Trial) {
    std::vector<StaticBlock> Blocks(1 + R.below(30));
    for (StaticBlock &B : Blocks) {
      B.IsEntry = &B == &Blocks.front() || R.below(10) == 0;
      B.Returns = R.below(5) == 0;
      for (uint64_t I = R.below(4); I; --I)
        B.Successors.push_back(
            {uint32_t(R.below(Blocks.size())), R.below(2) == 0});
    }
    const StaticFrequencies F = estimateFrequencies(Blocks);
    for (size_t I = 0; I < Blocks.size(); ++I) {
      EXPECT_TRUE(std::isfinite(F.Blocks[I]) && F.Blocks[I] >= 0);
      const auto &P = F.Probabilities[I];
      ASSERT_EQ(P.size(), Blocks[I].Successors.size());
      if (!P.empty())
        EXPECT_NEAR(std::accumulate(P.begin(), P.end(), 0.0), 1, 1e-9);
    }
  }
}

TEST(StaticFrequency, LongChainsNeedNoStack) {
  std::vector<StaticBlock> Blocks(200000);
  for (uint32_t I = 0; I + 1 < Blocks.size(); ++I)
    Blocks[I].Successors = {{I + 1, true}};
  Blocks.front().IsEntry = Blocks.back().Returns = true;
  EXPECT_DOUBLE_EQ(estimateFrequencies(Blocks).Blocks.back(), 1);
}

} // namespace
