//===- HotCold/ReportHTML.cpp - The report as a page ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the report of hot-cold optimization as a page with charts.
//
// 1. writeHTML() computes the figures and adds each table of tablesOf() to the
//    page, with a chart above it.
// 2. draw() makes the chart for the topic of a table. The add functions fill
//    bar charts: one bar for each category, reason, kind of gain, size or
//    procedure.
// 3. drawDistribution() draws the cumulative curves of procedure sizes before
//    and after. The longer list of bins gives the axis; the shorter one goes on
//    with 100 %.
//
//===----------------------------------------------------------------------===//

#include "Report/Charts.h"
#include "Report/Page.h"
#include "ReportTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel;
using Topic = HotColdTable::Topic;

namespace {

/// As much of a procedure's name as has room beside the bars; BOLT numbers
/// local ones.
std::string nameLabel(StringRef Name) {
  return shortened(Name.split('/').first, 20);
}

void addBar(BarChart &Chart, StringRef Label, double Percent,
            StringRef Form = "{0:F1} %") {
  Chart.Rows.push_back({Label.str(),
                        {std::max(Percent, 0.0)},
                        {formatv(Form.data(), Percent).str()}});
}

void addCoverage(BarChart &Chart, const HotColdFigures &F) {
  Chart.XTitle = "share of executed instructions, %";
  for (size_t C = 0; C < NumHotColdCategories; ++C)
    addBar(Chart, nameOf(static_cast<HotColdCategory>(C)),
           percentOf(F.Coverage[C].Executed, F.Executed));
}

void addReasons(BarChart &Chart, const HotColdFigures &F) {
  Chart.XTitle = "share of executed instructions, %";
  Chart.LabelWidth = 200;
  for (const HotColdFigures::ReasonShare &S :
       ArrayRef(F.Reasons).take_front(10))
    addBar(Chart,
           S.Reason.size() > 32 ? S.Reason.substr(0, 29) + "..." : S.Reason,
           percentOf(S.Executed, F.Executed));
}

void addPathLength(BarChart &Chart, const HotColdFigures &F) {
  Chart.XTitle = "share of executed instructions, %";
  for (const GainKind &Kind : gainKinds())
    addBar(Chart, Kind.Name, percentOf(F.Gain.*Kind.Count, F.Executed),
           "{0:F2} %");
}

void addLeaves(BarChart &Chart, const HotColdFigures &F) {
  Chart.XTitle = "share of executed instructions, %";
  addBar(Chart, "before", percentOf(F.LeafBefore, F.Executed));
  addBar(Chart, "after", percentOf(F.LeafAfter, F.ExecutedAfter));
}

void addGrowth(BarChart &Chart, const HotColdReport &R,
               const HotColdFigures &F) {
  Chart.XTitle = "increase of the image's code, %";
  const double Grown =
      double(F.Hot.Bytes) + F.Cold.Bytes - double(F.Original.Bytes);
  addBar(Chart, "hot + cold", percentOf(Grown, R.ImageBytes), "{0:F2} %");
  addBar(Chart, "stub", percentOf(F.Stub.Bytes, R.ImageBytes), "{0:F2} %");
}

void addSteps(BarChart &Chart, const HotColdFigures &F) {
  Chart.XTitle = "share of the original size, %";
  for (const SizeRow &Row : sizeRows(F))
    addBar(Chart, Row.Name, percentOf(Row.Bytes, Row.Original));
}

void addGrown(BarChart &Chart, const HotColdFigures &F) {
  Chart.XTitle = "total size, % of the original";
  for (const ProcedureRecord *P : ArrayRef(F.Grown).take_front(NumListedGrown))
    addBar(Chart, nameLabel(P->Name),
           percentOf(P->bytesAfter(), P->Original.Bytes), "{0:F0} %");
}

void addProcedures(BarChart &Chart, const HotColdFigures &F) {
  Chart.XTitle = "executed, % of all instructions before";
  Chart.Series = {"before", "after"};
  for (const ProcedureRecord *P : ArrayRef(F.Hottest).take_front(12)) {
    const double Before = percentOf(P->Original.Executed, F.Executed);
    const double After = percentOf(
        P->Hot.Executed + P->Cold.Executed + P->Stub.Executed, F.Executed);
    Chart.Rows.push_back({nameLabel(P->Name),
                          {Before, After},
                          {percentText(Before), percentText(After)}});
  }
}

void drawDistribution(const HotColdFigures &F, StringRef Title,
                      raw_ostream &OS) {
  const std::vector<ShareBin> &Longer =
      F.SizesBefore.size() >= F.SizesAfter.size() ? F.SizesBefore
                                                  : F.SizesAfter;
  auto cumulative = [&](const std::vector<ShareBin> &Bins) {
    std::vector<double> Percent;
    for (const ShareBin &Bin : Bins)
      Percent.push_back(Bin.CumulativePercent);
    Percent.resize(Longer.size(), 100);
    return Percent;
  };
  CurveChart Chart = {Title.str(),
                      "instructions of the procedure",
                      "cumulative share of execution, %",
                      {},
                      {{"before", cumulative(F.SizesBefore)},
                       {"after", cumulative(F.SizesAfter)}}};
  for (const ShareBin &Bin : Longer)
    Chart.Bins.push_back(closedLabel(Bin, HotColdFigures::LargestBin));
  Chart.draw(OS);
}

void draw(const HotColdReport &R, const HotColdFigures &F,
          const HotColdTable &T, raw_ostream &OS) {
  BarChart Chart = {T.Title, "", {}, {}};
  switch (T.About) {
  case Topic::Coverage:
    addCoverage(Chart, F);
    break;
  case Topic::Reasons:
    addReasons(Chart, F);
    break;
  case Topic::PathLength:
    addPathLength(Chart, F);
    break;
  case Topic::Leaves:
    addLeaves(Chart, F);
    break;
  case Topic::Growth:
    addGrowth(Chart, R, F);
    break;
  case Topic::Steps:
    addSteps(Chart, F);
    break;
  case Topic::Grown:
    addGrown(Chart, F);
    break;
  case Topic::Distribution:
    return drawDistribution(F, T.Title, OS);
  case Topic::Procedures:
    addProcedures(Chart, F);
    break;
  }
  Chart.draw(OS);
}

} // namespace

void graupel::writeHTML(const HotColdReport &R, raw_ostream &OS) {
  const HotColdFigures F(R);
  Page ThePage(
      "Hot-cold optimization of " + sys::path::filename(R.Program).str(),
      R.Profile.empty() ? R.Program : R.Program + ", profile " + R.Profile, OS);
  for (const HotColdTable &T : tablesOf(R, F))
    ThePage.add(T, [&](raw_ostream &OS) { draw(R, F, T, OS); });
}
