//===- unit/FlowBalanceTest.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile/FlowBalance.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace graupel;

namespace {

/// A function whose only inner block is entered \p In and left \p Out times.
FlowBalance balanceOf(uint64_t In, uint64_t Out, bool IsEntered = false,
                      bool IsLeft = false) {
  FlowBalance Balance;
  Balance.add("f", {{In, {In}, {Out}, IsEntered, IsLeft}});
  return Balance;
}

TEST(FlowBalance, WhatAddsUp) {
  const FlowBalance Balance = balanceOf(100, 100);
  EXPECT_EQ(Balance.percentOff(), 0);
  EXPECT_EQ(Balance.worst(), "");
  EXPECT_EQ(Balance.impossible(), 0u);
  EXPECT_EQ(FlowBalance().percentOff(), 0);
}

TEST(FlowBalance, ABranchTakenMoreOftenThanItsBlockRan) {
  EXPECT_EQ(balanceOf(25, 100).percentOff(), 75);
  EXPECT_EQ(balanceOf(25, 100).worst(), "f");
}

TEST(FlowBalance, FlowThatGetsLost) {
  EXPECT_EQ(balanceOf(100, 25).percentOff(), 75);
}

TEST(FlowBalance, ControlMayComeAndGoOtherwise) {
  EXPECT_EQ(balanceOf(25, 100, /*IsEntered=*/true).percentOff(), 0);
  EXPECT_EQ(balanceOf(100, 25, /*IsEntered=*/true).percentOff(), 75);
  EXPECT_EQ(balanceOf(100, 25, false, /*IsLeft=*/true).percentOff(), 0);
  EXPECT_EQ(balanceOf(25, 100, false, /*IsLeft=*/true).percentOff(), 75);
}

TEST(FlowBalance, SharesAreOfAllFlow) {
  FlowBalance Balance = balanceOf(0, 100);
  Balance.add("g", {{300, {100, 200}, {300}}});
  EXPECT_EQ(Balance.percentOff(), 25);
  Balance.add("h", {{400, {400}, {0}}});
  EXPECT_EQ(Balance.percentOff(), 62.5);
  EXPECT_EQ(Balance.worst(), "h");
}

TEST(FlowBalance, ImpossibleCounts) {
  constexpr uint64_t Most = FlowBalance::Limit - 1;
  EXPECT_EQ(balanceOf(Most, Most).impossible(), 0u);
  EXPECT_EQ(balanceOf(1, Most + 1).impossible(), Most + 1);
  EXPECT_EQ(balanceOf(Most + 1, 1).impossible(), Most + 1);
  EXPECT_EQ(balanceOf(Most + 1, 1).impossibleIn(), "f");
  FlowBalance Balance;
  // What is left of a counter that went below zero.
  Balance.addCount("main", UINT64_MAX - 1);
  Balance.addCount("later", Most + 1);
  EXPECT_EQ(Balance.impossible(), UINT64_MAX - 1);
  EXPECT_EQ(Balance.impossibleIn(), "main");
}

/// Sums of the largest counts there are remain numbers.
TEST(FlowBalance, SharesAreNumbers) {
  constexpr uint64_t Huge = std::numeric_limits<uint64_t>::max();
  FlowBalance Balance;
  Balance.add("f", {{Huge, {Huge, Huge, Huge}, {Huge}}});
  EXPECT_TRUE(std::isfinite(Balance.percentOff()));
  EXPECT_LE(Balance.percentOff(), 100);
}

} // namespace
