//===- unit/StatisticsTest.cpp --------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Random.h"
#include "Report/Charts.h"
#include "Statistics/Footprint.h"
#include "Statistics/Portrait.h"
#include "Statistics/Sections.h"
#include "Statistics/Writers.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <set>

using namespace graupel;
using namespace graupel::test;

namespace {

/// Blocks of one instruction each.
ProcedureFlow flow(std::vector<uint64_t> Counts,
                   std::vector<ProcedureFlow::Edge> Edges,
                   std::vector<uint32_t> OtherRoots = {}) {
  ProcedureFlow Flow;
  for (uint64_t Count : Counts)
    Flow.Blocks.push_back({Count, 1});
  Flow.Edges = std::move(Edges);
  Flow.OtherRoots = std::move(OtherRoots);
  return Flow;
}

TEST(TripCount, NoLoop) {
  EXPECT_EQ(hottestLoopTripCount({}), 1);
  EXPECT_EQ(hottestLoopTripCount(flow({5}, {})), 1);
  EXPECT_EQ(hottestLoopTripCount(flow(
                {9, 4, 5, 9}, {{0, 1, 4}, {0, 2, 5}, {1, 3, 4}, {2, 3, 5}})),
            1);
}

TEST(TripCount, HeaderPerEntry) {
  EXPECT_EQ(hottestLoopTripCount(
                flow({3, 30, 3}, {{0, 1, 3}, {1, 1, 27}, {1, 2, 3}})),
            10);
}

TEST(TripCount, TheHeaderMayBeTheEntryOfTheProcedure) {
  // Called 5 times: the edges account for 15 of the 20 executions.
  EXPECT_EQ(hottestLoopTripCount(flow({20, 5}, {{0, 0, 15}, {0, 1, 5}})), 4);
}

TEST(TripCount, OfNestedLoopsTheInnerCounts) {
  // 0 -> 1 (outer header) -> 2 (inner) -> 3 -> 1, exit 4.
  EXPECT_EQ(hottestLoopTripCount(flow({1, 10, 60, 10, 1}, {{0, 1, 1},
                                                           {1, 2, 10},
                                                           {2, 2, 50},
                                                           {2, 3, 10},
                                                           {3, 1, 9},
                                                           {3, 4, 1}})),
            6);
}

TEST(TripCount, SeveralWaysBackAreOneLoop) {
  EXPECT_EQ(hottestLoopTripCount(flow({2, 16, 8, 8, 2}, {{0, 1, 2},
                                                         {1, 2, 8},
                                                         {1, 3, 8},
                                                         {2, 1, 7},
                                                         {3, 1, 7},
                                                         {2, 4, 1},
                                                         {3, 4, 1}})),
            8);
}

TEST(TripCount, ALoopThatNeverRanDoesNotCount) {
  EXPECT_EQ(
      hottestLoopTripCount(flow({7, 0, 7}, {{0, 1, 0}, {1, 1, 0}, {0, 2, 7}})),
      1);
}

TEST(TripCount, ALoopThatIsNotLeftHasOneEntryAtLeast) {
  // A profile that began inside the loop.
  EXPECT_EQ(hottestLoopTripCount(flow({0, 12}, {{0, 1, 0}, {1, 1, 12}})), 12);
}

TEST(InnermostLoops, ALoopWithinThatHardlyRunsIsNone) {
  // 1 to 3 is a loop; the way back from 2 to 1 is for what is rare.
  auto Flow = flow({1, 100, 100, 98, 1}, {{0, 1, 1},
                                          {1, 2, 100},
                                          {2, 1, 1},
                                          {2, 3, 98},
                                          {3, 1, 98},
                                          {3, 3, 0},
                                          {2, 4, 1}});
  auto Loops = innermostLoops(Flow);
  ASSERT_EQ(Loops.size(), 1u);
  EXPECT_EQ(Loops[0].Header, 1u);
  EXPECT_EQ(Loops[0].Blocks, (std::vector<uint32_t>{1, 2, 3}));
  // Nor does one that is long, but rare, hide it.
  Flow = flow({1, 100, 100, 30, 1}, {{0, 1, 1},
                                     {1, 2, 100},
                                     {2, 1, 97},
                                     {2, 3, 2},
                                     {3, 3, 28},
                                     {3, 1, 2},
                                     {2, 4, 1}});
  Loops = innermostLoops(Flow);
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(Loops[0].Header, 1u);
  EXPECT_EQ(Loops[1].Header, 3u);
  // One that goes round twice is one, and what is around it is not innermost.
  Flow = flow(
      {1, 50, 100, 50, 1},
      {{0, 1, 1}, {1, 2, 50}, {2, 2, 50}, {2, 3, 50}, {3, 1, 49}, {3, 4, 1}});
  Loops = innermostLoops(Flow);
  ASSERT_EQ(Loops.size(), 1u);
  EXPECT_EQ(Loops[0].Header, 2u);
}

TEST(TripCount, CyclesEnteredInTwoPlacesAreNoLoops) {
  EXPECT_EQ(hottestLoopTripCount(flow(
                {2, 50, 50, 2},
                {{0, 1, 1}, {0, 2, 1}, {1, 2, 49}, {2, 1, 49}, {2, 3, 2}})),
            1);
  // The second entry comes from outside the edges.
  EXPECT_EQ(hottestLoopTripCount(
                flow({2, 50, 50}, {{0, 1, 2}, {1, 2, 50}, {2, 1, 48}}, {2})),
            1);
}

TEST(TripCount, UnreachableBlocksDoNotDisturb) {
  EXPECT_EQ(hottestLoopTripCount(
                flow({3, 30, 3, 5, 5},
                     {{0, 1, 3}, {1, 1, 27}, {1, 2, 3}, {3, 4, 5}, {4, 3, 5}})),
            10);
}

TEST(TripCount, LongProceduresNeedNoDeepStack) {
  const uint32_t Size = 300000;
  ProcedureFlow Flow;
  for (uint32_t I = 0; I < Size; ++I) {
    Flow.Blocks.push_back({8, 1});
    if (I)
      Flow.Edges.push_back({I - 1, I, 8});
  }
  Flow.Edges.push_back({Size - 1, 0, 6});
  EXPECT_EQ(hottestLoopTripCount(Flow), 4);
}

TEST(TripCountProperty, AtLeastOneAndAtMostTheHottestBlock) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    ProcedureFlow Flow;
    const uint32_t Size = 1 + R.below(20);
    uint64_t Max = 1;
    for (uint32_t I = 0; I < Size; ++I) {
      Flow.Blocks.push_back({R.below(1000), R.below(9)});
      Max = std::max(Max, Flow.Blocks.back().Count);
    }
    for (uint64_t I = R.below(50); I; --I)
      Flow.Edges.push_back({static_cast<uint32_t>(R.below(Size)),
                            static_cast<uint32_t>(R.below(Size)),
                            R.below(1000)});
    for (uint64_t I = R.below(3); I; --I)
      Flow.OtherRoots.push_back(R.below(Size));
    const double Trips = hottestLoopTripCount(Flow);
    EXPECT_GE(Trips, 1);
    EXPECT_LE(Trips, static_cast<double>(Max));
  }
}

TEST(ShareBins, OpenBinsEndBeforeTheirBound) {
  ShareBins Bins(ShareBins::End::Open, 2);
  Bins.add(1, 10);
  Bins.add(1.99, 10);
  Bins.add(2, 20);
  Bins.add(9, 60);
  const std::vector<ShareBin> B = Bins.bins();
  ASSERT_EQ(B.size(), 4u);
  EXPECT_EQ(B[0].Bound, 2u);
  EXPECT_EQ(B[0].Items, 2u);
  EXPECT_EQ(B[0].Percent, 20);
  EXPECT_EQ(B[1].Percent, 20);
  EXPECT_EQ(B[2].Percent, 0);
  EXPECT_EQ(B[2].CumulativePercent, 40);
  EXPECT_EQ(B[3].Bound, 16u);
  EXPECT_EQ(B[3].CumulativePercent, 100);
}

TEST(ShareBins, ClosedBinsHoldTheirBound) {
  ShareBins Bins(ShareBins::End::Closed, 1, 4);
  for (double Value : {0, 1, 2, 3, 4, 5, 1000})
    Bins.add(Value, 1);
  const std::vector<ShareBin> B = Bins.bins();
  ASSERT_EQ(B.size(), 4u);
  EXPECT_EQ(B[0].Weight, 2u);
  EXPECT_EQ(B[1].Weight, 1u);
  EXPECT_EQ(B[2].Weight, 2u);
  EXPECT_EQ(B[3].Weight, 2u);
  EXPECT_EQ(B[3].Bound, 0u);
}

TEST(ShareBins, NothingHasNoBins) {
  EXPECT_TRUE(ShareBins(ShareBins::End::Open, 2).bins().empty());
}

TEST(ShareBins, WithoutWeightSharesAreZero) {
  ShareBins Bins(ShareBins::End::Open, 2);
  Bins.add(1, 0);
  EXPECT_EQ(Bins.bins()[0].CumulativePercent, 0);
}

TEST(ShareBinsProperty, CumulativeSharesRiseToAHundred) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    ShareBins Bins(R.oneIn(2) ? ShareBins::End::Open : ShareBins::End::Closed,
                   1 + R.below(3), 1024);
    for (uint64_t I = 1 + R.below(30); I; --I)
      Bins.add(static_cast<double>(R.below(1 << R.below(20))), 1 + R.below(99));
    double Last = 0, Sum = 0;
    for (const ShareBin &B : Bins.bins()) {
      EXPECT_GE(B.CumulativePercent, Last);
      Last = B.CumulativePercent;
      Sum += B.Percent;
    }
    EXPECT_DOUBLE_EQ(Last, 100);
    EXPECT_NEAR(Sum, 100, 1e-9);
  }
}

TEST(Footprint, UnitsAreCountedOnce) {
  Footprint F;
  EXPECT_EQ(F.units(64), 0u);
  F.add(10, 10);
  EXPECT_EQ(F.units(64), 0u);
  F.add(0, 64);
  EXPECT_EQ(F.units(64), 1u);
  F.add(63, 65);
  EXPECT_EQ(F.units(64), 2u);
  F.add(200, 201);
  EXPECT_EQ(F.units(64), 3u);
  EXPECT_EQ(F.units(4096), 1u);
  EXPECT_EQ(F.bytes(), 67u);
}

TEST(FootprintProperty, AsManyUnitsAsASetOfThem) {
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    Footprint F;
    std::set<uint64_t> Units;
    for (uint64_t I = R.below(20); I; --I) {
      const uint64_t Begin = R.below(3000), End = Begin + R.below(300);
      F.add(Begin, End);
      for (uint64_t A = Begin; A < End; ++A)
        Units.insert(A / 64);
    }
    EXPECT_EQ(F.units(64), Units.size());
  }
}

TEST(Portrait, NothingExecuted) {
  PortraitBuilder Builder;
  Builder.add(flow({0, 0}, {{0, 1, 0}}));
  Portrait P;
  Builder.finish(P, 0.01);
  EXPECT_EQ(P.Executed, 0u);
  EXPECT_TRUE(P.TripCounts.empty());
  EXPECT_TRUE(P.AllProcedures.AllBlocks.empty());
}

TEST(Portrait, SharesOfProcedures) {
  PortraitBuilder Builder;
  // Weight 36, trip count 10; the loop is hotter than the entry.
  Builder.add(flow({3, 30, 3}, {{0, 1, 3}, {1, 1, 27}, {1, 2, 3}}));
  // Weight 108, no loop.
  Builder.add(flow({54, 53, 1}, {{0, 1, 53}, {0, 2, 1}}));
  Portrait P;
  Builder.finish(P, 0.01);
  EXPECT_EQ(P.Executed, 144u);
  EXPECT_EQ(P.HighestTripCount, 10);
  ASSERT_EQ(P.TripCounts.size(), 4u);
  EXPECT_EQ(P.TripCounts[0].CumulativePercent, 75);
  EXPECT_EQ(P.TripCounts[3].CumulativePercent, 100);
  EXPECT_EQ(P.EntryHottestPercent, 75);
  EXPECT_EQ(P.HardlyLooping.Weight, 108u);
  EXPECT_EQ(P.AllProcedures.Weight, 144u);
}

TEST(Portrait, BlocksAtOrBelowTheThresholdAreNotCounted) {
  PortraitBuilder Builder;
  Builder.add(flow({50, 49, 1}, {{0, 1, 49}, {0, 2, 1}}));
  Portrait P;
  Builder.finish(P, 0.01);
  EXPECT_EQ(P.ColdThreshold, 1u);
  ASSERT_EQ(P.AllProcedures.AllBlocks.size(), 3u); // 1, 2, 4.
  EXPECT_EQ(P.AllProcedures.AllBlocks[2].Percent, 100);
  ASSERT_EQ(P.AllProcedures.HotBlocks.size(), 2u);
  EXPECT_EQ(P.AllProcedures.HotBlocks[1].Percent, 100);
  Builder.finish(P, 0);
  EXPECT_EQ(P.ColdThreshold, 0u);
  ASSERT_EQ(P.AllProcedures.HotBlocks.size(), 3u);
}

TEST(Sections, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(percentText(12.34), "12.3 %");
  EXPECT_EQ(changeText(200, 100), "-50.0 %");
  EXPECT_EQ(changeText(100, 150), "+50.0 %");
  EXPECT_EQ(changeText(100000, 99999), "0.0 %");
  EXPECT_EQ(changeText(0, 5), "");
}

TEST(Sections, BinLabels) {
  auto label = [](uint64_t Bound) {
    ShareBin Bin;
    Bin.Bound = Bound;
    return closedLabel(Bin, 1024);
  };
  EXPECT_EQ(label(1), "1");
  EXPECT_EQ(label(2), "2");
  EXPECT_EQ(label(4), "3-4");
  EXPECT_EQ(label(16), "9-16");
  EXPECT_EQ(label(0), "> 1024");
}

TEST(Sections, RowsHaveAsManyCellsAsColumns) {
  PortraitBuilder Builder;
  Builder.add(flow({3, 30, 3}, {{0, 1, 3}, {1, 1, 27}, {1, 2, 3}}));
  Portrait P;
  Builder.finish(P, 0.01);
  P.Layout.emplace();
  P.NotDecoded.Functions = 1;
  const std::vector<Section> Sections = sectionsOf(P);
  EXPECT_EQ(Sections.size(), 8u);
  for (const Section &S : Sections)
    for (const std::vector<std::string> &Row : S.Rows)
      EXPECT_EQ(Row.size(), S.Columns.size()) << S.Title;
}

TEST(Writers, JSONTakesAnyFileName) {
  Portrait P;
  P.Program = "a\"b\xff\n";
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJSON(P, OS);
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Text);
  ASSERT_TRUE(static_cast<bool>(Parsed)) << Text;
  EXPECT_EQ(Parsed->getAsObject()->getInteger("version"), 1);
}

TEST(Writers, LargeCountsStayNumbers) {
  Portrait P;
  P.Image.Bytes = ~0ull;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJSON(P, OS);
  EXPECT_NE(Text.find("18446744073709551615"), std::string::npos);
}

TEST(Charts, TicksOfSmallNumbersDiffer) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  BarChart{"small", "x", {}, {{"a", {0.05}, {""}}}}.draw(OS);
  BarChart{"large", "x", {}, {{"a", {4000}, {""}}}}.draw(OS);
  for (const char *Tick : {">0<", ">0.02<", ">0.04<", ">2 k<", ">4 k<"})
    EXPECT_NE(Text.find(Tick), std::string::npos) << Tick;
}

TEST(Charts, NothingToShowIsNoError) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  BarChart{"none", "x", {}, {}}.draw(OS);
  BarChart{"zero", "x", {}, {{"a", {0}, {"0"}}}}.draw(OS);
  CurveChart{"none", "x", "y", {}, {{"s", {}}}}.draw(OS);
  EXPECT_EQ(Text.find("nan"), std::string::npos);
  EXPECT_EQ(Text.find("inf"), std::string::npos);
}

} // namespace
