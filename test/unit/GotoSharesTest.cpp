//===- unit/GotoSharesTest.cpp --------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile/GotoShares.h"
#include "gtest/gtest.h"
#include <limits>
#include <numeric>
#include <random>

using namespace graupel;
using Counts = std::vector<uint64_t>;

namespace {

Counts columns(const std::vector<Counts> &Shares, size_t Labels) {
  Counts Sums(Labels);
  for (const Counts &Row : Shares)
    for (size_t L = 0; L < Labels; ++L)
      Sums[L] += Row[L];
  return Sums;
}

Counts rows(const std::vector<Counts> &Shares) {
  Counts Sums;
  for (const Counts &Row : Shares)
    Sums.push_back(std::accumulate(Row.begin(), Row.end(), uint64_t(0)));
  return Sums;
}

TEST(GotoShares, InProportion) {
  EXPECT_EQ(shareOut({30, 10}, {20, 20}),
            (std::vector<Counts>{{15, 15}, {5, 5}}));
}

TEST(GotoShares, NothingIsLost) {
  std::mt19937_64 Random(1);
  for (int Try = 0; Try < 200; ++Try) {
    Counts Supply(1 + Random() % 20), Demand(1 + Random() % 20);
    for (uint64_t &S : Supply)
      S = Random() % (Try % 2 ? 5 : 1000000);
    uint64_t Left = std::accumulate(Supply.begin(), Supply.end(), uint64_t(0));
    for (uint64_t &D : Demand)
      Left -= D = &D == &Demand.back() ? Left : Random() % (Left + 1);
    const auto Shares = shareOut(Supply, Demand);
    EXPECT_EQ(rows(Shares), Supply);
    EXPECT_EQ(columns(Shares, Demand.size()), Demand);
  }
}

TEST(GotoShares, WhatDoesNotFitIsLeftOut) {
  EXPECT_EQ(columns(shareOut({10}, {3, 4}), 2), (Counts{3, 4}));
  EXPECT_EQ(rows(shareOut({3, 4}, {10})), (Counts{3, 4}));
  EXPECT_EQ(rows(shareOut({0, 0}, {0})), (Counts{0, 0}));
  EXPECT_TRUE(shareOut({}, {1}).empty());
}

TEST(GotoShares, LargeCounts) {
  constexpr uint64_t Most = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(rows(shareOut({Most, 1}, {Most, 1})), (Counts{Most, 1}));
}

} // namespace
