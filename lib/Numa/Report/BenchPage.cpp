//===- Numa/Report/BenchPage.cpp - Measurements as a page -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"
#include "Report/Charts.h"
#include "Report/Page.h"

namespace graupel::numa {

using namespace bench;
using llvm::raw_ostream;

static void nothing(raw_ostream &) {}

static std::string textOf(const Entry &E) {
  return E.Value ? figureText(*E.Value) : E.Words;
}

/// Thousandths, as heat maps have them; 0 is none.
static uint64_t cellOf(const Entry &E) {
  return E.Value && *E.Value > 0 ? uint64_t(*E.Value * 1000 + 0.5) : 0;
}

static HeatMap mapOf(const FilledTable &T) {
  HeatMap Map;
  Map.Title = T.Name + ", " + T.Unit;
  Map.Figures = Map.NamedColumns = true;
  Map.ColumnNames.assign(T.Columns.begin() + 1, T.Columns.end());
  HeatMap::Group G{T.Unit, 0, {}};
  for (const auto &Row : T.Rows) {
    Map.RowLabels.push_back(textOf(Row[0]));
    G.Rows.emplace_back();
    for (size_t N = 1; N < Row.size(); ++N)
      G.Rows.back().push_back(cellOf(Row[N]));
  }
  Map.Groups.push_back(std::move(G));
  return Map;
}

/// A map that is too wide for a small screen can be scrolled.
static void drawMap(const FilledTable &From, bool Wide, raw_ostream &OS) {
  HeatMap Map = mapOf(From);
  if (Wide)
    Map.Width = 960;
  OS << "<div class=\"table" << (Wide ? " large" : "") << "\">\n";
  Map.draw(OS);
  OS << "</div>\n";
}

static void writeReasons(const FilledTable &From, raw_ostream &OS) {
  if (From.stable())
    return;
  OS << "<details><summary>Why rows are not stable</summary><ul>\n";
  for (size_t R = 0; R < From.Rows.size(); ++R)
    if (!From.Unstable[R].empty())
      OS << "<li>"
         << escapeHTML(textOf(From.Rows[R][0]) + ", " + From.Unstable[R])
         << "</li>\n";
  OS << "</ul></details>\n";
}

static void addTable(Page &To, const FilledTable &From) {
  constexpr size_t Narrow = 10;
  Table T;
  T.Title =
      From.Name + ", " + From.Unit + (From.Published ? " (published)" : "");
  T.Sentences = {From.About};
  T.Columns = From.Columns;
  T.Wide = From.Columns.size() > Narrow;
  if (!From.Published)
    T.Columns.push_back("stable");
  for (size_t R = 0; R < From.Rows.size(); ++R) {
    T.Rows.emplace_back();
    for (const Entry &E : From.Rows[R])
      T.Rows.back().push_back(textOf(E));
    if (!From.Published)
      T.Rows.back().push_back(From.Unstable[R].empty() ? "yes" : "no");
  }
  To.add(T, [&](raw_ostream &OS) {
    if (From.As == Shape::Heat && From.Rows.size() * From.Columns.size() > 2)
      drawMap(From, T.Wide, OS);
    writeReasons(From, OS);
  });
}

static void addNotes(Page &To, const BenchReport &R) {
  Table T;
  T.Title = "What to know";
  T.Wide = true;
  T.Sentences = R.Notes;
  T.Sentences.push_back(
      "Figures are the best of all passes over everything: the least latency, "
      "the most bandwidth. A row is stable if both halves of the run have "
      "found "
      "them within 2.5 %, and not by chance: then another run finds them "
      "within "
      "5 %. Other rows say why they are not.");
  To.add(T, nothing);
}

static void addPairs(Page &To, const BenchReport &R) {
  if (R.Session.calibration().pairs().empty())
    return;
  Table T;
  T.Title = "Pairs of processors, ns apart";
  T.Sentences = {"A line that the owner has modified reaches the reader; seen "
                 "before and after each measurement with this pair. A change "
                 "means that processors have moved."};
  T.Columns = {"reader, owner", "first", "last",   "least",
               "most",          "times", "changes"};
  for (const auto &[Pair, Seen] : R.Session.calibration().pairs())
    T.Rows.push_back(
        {std::to_string(Pair.first) + ", " + std::to_string(Pair.second),
         figureText(Seen.First), figureText(Seen.Last), figureText(Seen.Least),
         figureText(Seen.Most), std::to_string(Seen.Times),
         std::to_string(Seen.Changes)});
  To.add(T, nothing);
}

void writeBenchPage(const BenchReport &R, raw_ostream &OS) {
  Page To("Memory of this machine", benchSource(R), OS);
  OS << "<style>.large svg { min-width: 48rem; max-width: none; }\n"
        "details { font-size: 0.875rem; } ul { margin: 0.25rem 0; "
        "padding-left: 1.25rem; }\nsummary { cursor: pointer; }</style>\n";
  addNotes(To, R);
  for (const FilledTable &From : R.Tables)
    addTable(To, From);
  addPairs(To, R);
}

} // namespace graupel::numa
