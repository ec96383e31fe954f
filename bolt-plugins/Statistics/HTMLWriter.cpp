//===- Statistics/HTMLWriter.cpp - Program statistics as a page -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the program statistics as a page with charts.
//
// 1. writeHTML() adds each section of sectionsOf() to the page, with a chart
//    above it.
// 2. draw() chooses the chart by the section's topic.
// 3. drawTripCounts() and drawComplexity() draw cumulative curves.
// 4. The other draw functions draw bars, with the rows that the tables have:
//    sizes, overhead, and figures before and after.
//
//===----------------------------------------------------------------------===//

#include "Report/Charts.h"
#include "Report/Page.h"
#include "Sections.h"
#include "Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel;

namespace {

std::vector<double> cumulative(const std::vector<ShareBin> &Bins, size_t Size) {
  std::vector<double> Percent;
  for (const ShareBin &Bin : Bins)
    Percent.push_back(Bin.CumulativePercent);
  Percent.resize(Size, 100);
  return Percent;
}

void drawTripCounts(const Portrait &P, const Section &S, raw_ostream &OS) {
  CurveChart Chart = {
      S.Title,
      "average trip count of the most executed loop",
      "cumulative share of instructions, %",
      {},
      {{"all procedures", cumulative(P.TripCounts, P.TripCounts.size())}}};
  for (const ShareBin &Bin : P.TripCounts)
    Chart.Bins.push_back(openLabel(Bin));
  Chart.draw(OS);
}

void drawComplexity(const Complexity &C, const Section &S, raw_ostream &OS) {
  const size_t Size = C.AllBlocks.size();
  if (!Size)
    return;
  CurveChart Chart = {S.Title,
                      "blocks of the procedure",
                      "cumulative share of instructions, %",
                      {},
                      {{"all blocks", cumulative(C.AllBlocks, Size)},
                       {"hot blocks only", cumulative(C.HotBlocks, Size)}}};
  for (const ShareBin &Bin : C.AllBlocks)
    Chart.Bins.push_back(closedLabel(Bin, 1024));
  Chart.draw(OS);
}

void drawSize(const Portrait &P, const Section &S, raw_ostream &OS) {
  BarChart Chart = {S.Title, "instructions", {}, {}};
  auto add = [&](StringRef Name, const CodeSize &Size) {
    Chart.Rows.push_back({Name.str(),
                          {static_cast<double>(Size.Instructions)},
                          {grouped(Size.Instructions)}});
  };
  add("whole image", P.Image);
  if (P.Executed) {
    add("executed functions", P.ExecutedFunctions);
    add("executed blocks", P.ExecutedBlocks);
  }
  Chart.draw(OS);
}

void drawOverhead(const Portrait &P, const Section &S, raw_ostream &OS) {
  BarChart Chart = {S.Title, "share of executed instructions, %", {}, {}};
  for (const NamedCount &Row : overheadRows(P)) {
    const double Percent = P.executedPercent(Row.Count);
    Chart.Rows.push_back({Row.Name, {Percent}, {percentText(Percent)}});
  }
  Chart.draw(OS);
}

void drawTransfers(const LayoutChange &L, const Section &S, raw_ostream &OS) {
  BarChart Chart = {S.Title, "executions", {"before", "after"}, {}};
  const std::vector<NamedCount> Before = transferRows(L.Before.Transfers);
  const std::vector<NamedCount> After = transferRows(L.After.Transfers);
  for (const auto &[B, A] : zip_equal(Before, After))
    Chart.Rows.push_back(
        {StringRef(B.Name).trim().str(),
         {static_cast<double>(B.Count), static_cast<double>(A.Count)},
         {"", changeText(B.Count, A.Count)}});
  Chart.draw(OS);
}

void drawMemory(const LayoutChange &L, const Section &S, raw_ostream &OS) {
  BarChart Chart = {S.Title, "relative to before, %", {"before", "after"}, {}};
  const std::vector<NamedCount> Before = memoryRows(L.Before);
  const std::vector<NamedCount> After = memoryRows(L.After);
  for (const auto &[B, A] : zip_equal(Before, After))
    Chart.Rows.push_back({B.Name,
                          {100, percent(A.Count, B.Count)},
                          {grouped(B.Count), grouped(A.Count)}});
  Chart.draw(OS);
}

void drawLoops(const LayoutChange &L, const Section &S, raw_ostream &OS) {
  BarChart Chart = {
      S.Title, "decode windows of an iteration", {"before", "after"}, {}};
  for (const LoopFigures &Loop : L.Loops) {
    if (Chart.Rows.size() == S.Rows.size())
      break;
    const double After = Loop.After ? Loop.After->Windows : 0;
    Chart.Rows.push_back(
        {formatv("{0}+{1:x}", Loop.Procedure, Loop.Offset),
         {Loop.Before.Windows, After},
         {formatv("{0:F2}", Loop.Before.Windows), formatv("{0:F2}", After)}});
  }
  Chart.draw(OS);
}

void drawSplitting(const LayoutChange &L, const Section &S, raw_ostream &OS) {
  BarChart Chart = {S.Title, "bytes of the rewritten functions", {}, {}};
  for (const auto &[Name, Bytes] :
       {NamedCount{"before", L.BytesBefore},
        NamedCount{"after", L.HotBytes + L.ColdBytes},
        NamedCount{"after, hot", L.HotBytes},
        NamedCount{"after, cold", L.ColdBytes}})
    Chart.Rows.push_back(
        {Name, {static_cast<double>(Bytes)}, {grouped(Bytes)}});
  Chart.draw(OS);
}

void draw(const Portrait &P, const Section &S, raw_ostream &OS) {
  switch (S.About) {
  case Section::Topic::Size:
    return drawSize(P, S, OS);
  case Section::Topic::TripCounts:
    return drawTripCounts(P, S, OS);
  case Section::Topic::HardlyLooping:
    return drawComplexity(P.HardlyLooping, S, OS);
  case Section::Topic::AllProcedures:
    return drawComplexity(P.AllProcedures, S, OS);
  case Section::Topic::Overhead:
    return drawOverhead(P, S, OS);
  case Section::Topic::Transfers:
    return drawTransfers(*P.Layout, S, OS);
  case Section::Topic::Memory:
    return drawMemory(*P.Layout, S, OS);
  case Section::Topic::Loops:
    return drawLoops(*P.Layout, S, OS);
  case Section::Topic::Splitting:
    return drawSplitting(*P.Layout, S, OS);
  }
}

} // namespace

void graupel::writeHTML(const Portrait &P, raw_ostream &OS) {
  Page ThePage(
      "Statistics of " + sys::path::filename(P.Program).str(),
      P.Profile.empty() ? P.Program : P.Program + ", profile " + P.Profile, OS);
  for (const Section &S : sectionsOf(P))
    ThePage.add(S, [&](raw_ostream &OS) { draw(P, S, OS); });
}
