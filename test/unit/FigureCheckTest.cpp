//===- unit/FigureCheckTest.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/FigureCheck.h"
#include "Statistics/PortraitCheck.h"
#include "gtest/gtest.h"
#include <functional>
#include <limits>

using namespace graupel;

namespace {

std::string said(const FigureCheck &Check) {
  return llvm::toString(Check.error("prog"));
}

TEST(FigureCheck, FirstImpossibleFigureIsTheError) {
  FigureCheck Check;
  Check.isAmount("a", 0);
  Check.isPercentage("b", 100);
  Check.isAtMost("c", 5, "d", 5);
  EXPECT_EQ(said(Check), "");
  Check.isAtMost("lines", 67108872, "bytes", 66);
  Check.isPercentage("b", 101);
  EXPECT_EQ(said(Check),
            "prog: internal error: impossible figures: lines is 67108872, more "
            "than bytes, 66; please report this, and leave out the report to "
            "go on");
}

TEST(FigureCheck, WhatIsNoAmount) {
  for (double Value : {-1.0, std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity()}) {
    FigureCheck Check;
    Check.isAmount("a", Value);
    EXPECT_NE(said(Check), "");
  }
}

/// Figures that can be.
Portrait possible() {
  Portrait P;
  P.Program = "prog";
  P.Image = {10, 50, 200, 800};
  P.ExecutedFunctions = {5, 25, 100, 400};
  P.ExecutedBlocks = {5, 10, 50, 200};
  P.Executed = 1000;
  P.Transfers.ConditionalTaken = 100;
  P.Layout.emplace();
  P.Layout->Before = {1000, P.Transfers, 200, 10, 2};
  P.Layout->After = {990, P.Transfers, 190, 8, 1};
  P.Layout->HotBytes = 150;
  P.Layout->ColdBytes = 100;
  return P;
}

TEST(PortraitCheck, PossibleFigures) {
  EXPECT_EQ(llvm::toString(checkFigures(possible(), 1000)), "");
}

TEST(PortraitCheck, ImpossibleFigures) {
  const std::vector<std::function<void(Portrait &)>> Faults = {
      [](Portrait &P) { P.Image.Bytes = 1001; },
      [](Portrait &P) { P.ExecutedFunctions.Functions = 11; },
      [](Portrait &P) { P.ExecutedBlocks.Bytes = uint64_t(1) << 32; },
      [](Portrait &P) { P.ExecutedBlocks.Bytes = -uint64_t(1); },
      [](Portrait &P) { P.EntryHottestPercent = 100.1; },
      [](Portrait &P) { P.HighestTripCount = -1; },
      [](Portrait &P) { P.Frames.Saves = 1001; },
      [](Portrait &P) { P.Transfers.Calls = 1001; },
      [](Portrait &P) { P.TripCounts.push_back({2, 1, 1, 101, 50}); },
      [](Portrait &P) { P.Layout->Before.Lines = 67108872; },
      [](Portrait &P) { P.Layout->Before.ExecutedBytes = 4294967366; },
      [](Portrait &P) { P.Layout->After.Pages = 9; },
      [](Portrait &P) { P.Layout->After.ExecutedBytes = 251; },
  };
  for (size_t I = 0; I < Faults.size(); ++I) {
    Portrait P = possible();
    Faults[I](P);
    EXPECT_NE(llvm::toString(checkFigures(P, 1000)), "") << "fault " << I;
  }
}

} // namespace
