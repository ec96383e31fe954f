//===- unit/AlignTest.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Align/FetchCost.h"
#include "Align/PaddingPlan.h"
#include "Random.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace graupel;
using namespace graupel::test;

namespace {

PlacedBlock placed(uint64_t Begin, uint64_t End, uint64_t Count,
                   uint64_t FallIn = 0, uint64_t PreviousEnd = 0) {
  PlacedBlock B;
  B.Begin = Begin;
  B.End = End;
  B.Count = Count;
  B.FallIn = FallIn;
  B.PreviousEnd = PreviousEnd;
  return B;
}

TEST(FetchCost, JumpsEnterAWindowForEachBoundary) {
  EXPECT_EQ(unitsEntered(placed(64, 96, 10), 32), 10u);
  EXPECT_EQ(unitsEntered(placed(65, 97, 10), 32), 20u);
  EXPECT_EQ(unitsEntered(placed(64, 97, 10), 32), 20u);
  EXPECT_EQ(unitsEntered(placed(64, 128, 10), 64), 10u);
  EXPECT_EQ(unitsEntered(placed(64, 64, 10), 32), 10u);
}

TEST(FetchCost, FallingInIsFreeInsideOfAWindow) {
  EXPECT_EQ(unitsEntered(placed(70, 80, 10, 10, 70), 32), 0u);
  EXPECT_EQ(unitsEntered(placed(96, 100, 10, 10, 96), 32), 10u);
  EXPECT_EQ(unitsEntered(placed(96, 100, 10, 4, 96), 32), 10u);
  // Through padding to the next window.
  EXPECT_EQ(unitsEntered(placed(96, 100, 10, 4, 70), 32), 10u);
  // More cannot fall in than come at all.
  EXPECT_EQ(unitsEntered(placed(96, 100, 10, 40, 96), 32), 10u);
}

TEST(FetchCost, JumpsAtTheEndOfAWindow) {
  PlacedBlock B = placed(64, 96, 7);
  EXPECT_EQ(jumpsAtBoundary(B), 0u);
  B.JumpSize = 2;
  EXPECT_EQ(jumpsAtBoundary(B), 7u); // Ends with it.
  B.End = 97;
  EXPECT_EQ(jumpsAtBoundary(B), 7u); // Crosses it.
  B.End = 98;
  EXPECT_EQ(jumpsAtBoundary(B), 0u);
  B.End = 95;
  EXPECT_EQ(jumpsAtBoundary(B), 0u);
}

TEST(PaddingPlan, Nothing) {
  EXPECT_TRUE(planPadding({}, {}).empty());
  // What does not run is not aligned.
  EXPECT_EQ(planPadding({{5, 0}, {30, 0}, {5, 0}}, {}),
            (std::vector<uint8_t>{1, 1, 1}));
}

TEST(PaddingPlan, AlignsTheHeadOfALoop) {
  // 27 bytes, entered once, then 32 bytes executed a thousand times.
  const std::vector<PaddingBlock> Loop = {{27, 1}, {32, 1000, 1}, {4, 1, 1}};
  PaddingCosts Costs;
  EXPECT_EQ(planPadding(Loop, Costs), (std::vector<uint8_t>{1, 16, 1}));
  // A byte that costs more than it saves is not spent.
  Costs.Byte = 1000;
  EXPECT_EQ(planPadding(Loop, Costs), (std::vector<uint8_t>{1, 1, 1}));
}

TEST(PaddingPlan, NoPaddingWhereControlRunsThroughIt) {
  // The loop goes round twice each time it is entered.
  EXPECT_EQ(planPadding({{20, 1000}, {14, 2000, 1000}}, {{}, 0, 0, 0})[1], 16);
  PaddingCosts Costs;
  Costs.Nop = 2;
  EXPECT_EQ(planPadding({{20, 1000}, {14, 2000, 1000}}, Costs)[1], 1);
}

TEST(PaddingPlan, KeepsTheCompilersAlignment) {
  // A loop of 8 bytes lies well anywhere, but for old decoders.
  std::vector<PaddingBlock> Loop = {{3, 1}, {8, 1000, 1}};
  EXPECT_EQ(planPadding(Loop, {})[1], 1);
  Loop[1].WasAligned = true;
  EXPECT_EQ(planPadding(Loop, {})[1], 16);
}

/// What a choice costs, from addresses that are not taken modulo anything.
double costOf(const std::vector<PaddingBlock> &Blocks,
              const std::vector<uint8_t> &Choice, const PaddingCosts &Costs) {
  double Sum = 0;
  uint64_t End = 1024;
  for (size_t I = 0; I < Blocks.size(); ++I) {
    const PaddingBlock &B = Blocks[I];
    const uint64_t Start = llvm::alignTo(End, Choice[I]);
    PlacedBlock P =
        placed(Start, Start + B.Size, B.Count, B.FallIn, I ? End : 0);
    P.JumpSize = B.JumpSize;
    Sum += unitsEntered(P, DecodeWindow);
    Sum += Costs.JumpAtBoundary * jumpsAtBoundary(P);
    Sum += Costs.Nop * B.FallIn * ((Start - End + 9) / 10);
    Sum += Costs.Byte * (Start - End);
    if (B.WasAligned)
      Sum += Costs.LostAlignment * (B.Count - B.FallIn) * (Start % 16) / 16;
    End = Start + B.Size;
  }
  return Sum;
}

TEST(PaddingPlan, IsTheBestOfAllChoices) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    std::vector<PaddingBlock> Blocks;
    for (uint64_t I = 1 + R.below(6); I; --I) {
      PaddingBlock B;
      B.Size = R.below(80);
      B.Count = R.oneIn(3) ? 0 : R.below(1000);
      B.FallIn = Blocks.empty() ? 0 : R.below(B.Count + 1);
      B.JumpSize = R.oneIn(2) ? R.below(8) : 0;
      B.WasAligned = R.oneIn(4);
      Blocks.push_back(B);
    }
    PaddingCosts Costs;
    Costs.Byte = R.below(20);
    double Best = std::numeric_limits<double>::infinity();
    for (unsigned N = 0; N < std::pow(3, Blocks.size() - 1); ++N) {
      std::vector<uint8_t> Choice = {1};
      for (unsigned Rest = N; Choice.size() < Blocks.size(); Rest /= 3)
        Choice.push_back(std::vector<uint8_t>{1, 16, 32}[Rest % 3]);
      Best = std::min(Best, costOf(Blocks, Choice, Costs));
    }
    EXPECT_NEAR(costOf(Blocks, planPadding(Blocks, Costs), Costs), Best, 1e-6);
  }
}

} // namespace
