//===- Dsm/Report/HTMLWriter.cpp - The report as a page -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Charts.h"
#include "Report/Page.h"
#include "Writers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

namespace {

void nothing(raw_ostream &) {}

/// Objects that have a map of their own.
constexpr unsigned MaxMaps = 12;

void addAdvice(Page &To, const Report &R) {
  Table T;
  T.Title = "Advice";
  T.Wide = true;
  for (const std::string &W : R.Warnings)
    T.Sentences.push_back("Warning: " + W);
  T.Sentences.push_back(sumOf(R.Advices));
  if (R.Advices.All.empty())
    return To.add(T, nothing);
  T.Columns = {"data", "misses", "predicted", "what to do, and why"};
  T.LastIsText = true;
  for (const Advice &A : R.Advices.All) {
    std::string Action = A.Text;
    Action[0] = char(toupper(Action[0]));
    T.Rows.push_back(
        {R.P.Data[A.Object].Name,
         grouped(A.Then ? A.Then->Misses : R.P.Uses[A.Object].Misses.Count),
         A.Then ? limits(A.Then->LeastMisses, A.Then->MostMisses) : "",
         Action + ": " + A.Reasons + "."});
  }
  To.add(T, nothing);
}

HeatMap mapOf(const Profile &P, unsigned Index) {
  const ObjectUse &U = P.Uses[Index];
  HeatMap Map;
  Map.Title = "Misses of " + P.Data[Index].Name + " by node and address";
  Map.XTitle = "address: columns of " + grouped(U.BytesOfColumn) + " bytes";
  for (size_t N = 0; N < U.Heat.size(); ++N)
    Map.RowLabels.push_back("node " + std::to_string(N));
  for (size_t C = 0; C < U.Heat[0].size(); ++C)
    Map.ColumnNames.push_back("bytes " + grouped(C * U.BytesOfColumn) +
                              " and on");
  auto Add = [&](const char *Name, unsigned Series,
                 uint64_t HeatCell::*Member) {
    HeatMap::Group G{Name, Series, {}};
    for (const auto &Row : U.Heat) {
      G.Rows.emplace_back();
      for (const HeatCell &C : Row)
        G.Rows.back().push_back(C.*Member);
    }
    Map.Groups.push_back(std::move(G));
  };
  Add("misses to load", 0, &HeatCell::Loads);
  Add("misses to store", 1, &HeatCell::Stores);
  Add("blocks lost to others", 2, &HeatCell::Lost);
  return Map;
}

void addMaps(Page &To, const Report &R) {
  unsigned Shown = 0;
  for (unsigned Index : R.P.ByTime) {
    if (R.P.Uses[Index].Heat.empty())
      continue;
    if (++Shown > MaxMaps)
      return;
    const Object &O = R.P.Data[Index];
    Table T;
    T.Title = "Who shares " + O.Name;
    T.Sentences = {grouped(O.Bytes) + " bytes in " + describe(O) +
                   (O.Allocations > 1
                        ? ", " + grouped(O.Allocations) + " allocations"
                        : "")};
    HeatMap Map = mapOf(R.P, Index);
    To.add(T, [&](raw_ostream &OS) { Map.draw(OS); });
  }
}

void addPolls(Page &To, const Profile &P) {
  BarChart Chart;
  Chart.Title = "Poll intervals";
  Chart.XTitle = "samples";
  for (const PollBin &B : pollBins(P))
    Chart.Rows.push_back({B.Label, {double(B.Count)}, {grouped(B.Count)}});
  Table T = pollsTable(P);
  To.add(T, [&](raw_ostream &OS) {
    if (!Chart.Rows.empty())
      Chart.draw(OS);
  });
}

void addSortable(Page &To, Table T) {
  T.Wide = T.Sortable = true;
  To.add(T, nothing);
}

} // namespace

void graupel::dsm::writeHTML(const Report &R, raw_ostream &OS) {
  Page To("Distributed shared memory: misses", summary(R.P), OS);
  addAdvice(To, R);
  addSortable(To, missesTable(R));
  addSortable(To, objectsTable(R));
  addMaps(To, R);
  addPolls(To, R.P);
  addSortable(To, nodesTable(R.P));
  addSortable(To, messagesTable(R.P));
  addSortable(To, peersTable(R.P));
}
