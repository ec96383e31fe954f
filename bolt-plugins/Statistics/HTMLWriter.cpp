//===- Statistics/HTMLWriter.cpp - The portrait as a page -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Charts.h"
#include "Sections.h"
#include "Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel;

namespace {

// The two colours differ in lightness, too, and keep a contrast of at least
// 4.5:1 with the background in both schemes.
constexpr StringLiteral Style = R"css(
:root { color-scheme: light dark;
  --back: #ffffff; --card: #f5f6f8; --text: #1c2228; --soft: #55606b;
  --grid: #d5dae0; --first: #1f5fa8; --second: #b34a00; }
@media (prefers-color-scheme: dark) { :root {
  --back: #14181d; --card: #1d232a; --text: #e6eaee; --soft: #a5b0bb;
  --grid: #39424c; --first: #74b3f5; --second: #f0a35e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--back);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0.5rem 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0; }
p { margin: 0.5rem 0; }
.from { color: var(--soft); margin-top: 0; overflow-wrap: anywhere; }
main { columns: 2 28rem; column-gap: 1rem; }
section { background: var(--card); border-radius: 0.5rem; padding: 1rem;
  margin-bottom: 1rem; break-inside: avoid; }
svg { display: block; width: 100%; max-width: 34rem; height: auto;
  margin: 0.75rem auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg text.value { font-size: 11px; }
.grid { stroke: var(--grid); } .axis { stroke: var(--soft); }
.line0, .line1 { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.line0 { stroke: var(--first); }
.line1 { stroke: var(--second); stroke-dasharray: 6 3; }
.fill0 { fill: var(--first); } .fill1 { fill: var(--second); }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; width: 100%;
  font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.5rem; text-align: right;
  border-bottom: 1px solid var(--grid); }
th { vertical-align: bottom; color: var(--soft); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td { white-space: nowrap; }
td:first-child { white-space: pre-wrap; min-width: 5.5rem; }
@media (max-width: 34rem) { table { font-size: 0.8rem; }
  th, td { padding: 0.2rem 0.25rem; } section { padding: 0.75rem; } }
)css";

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
  case Section::Topic::Splitting:
    return drawSplitting(*P.Layout, S, OS);
  }
}

void writeRow(const std::vector<std::string> &Cells, StringRef Tag,
              raw_ostream &OS) {
  OS << "<tr>";
  for (const std::string &Cell : Cells)
    OS << '<' << Tag << '>' << escapeHTML(Cell) << "</" << Tag << '>';
  OS << "</tr>\n";
}

void writeSection(const Portrait &P, const Section &S, raw_ostream &OS) {
  OS << "<section>\n<h2>" << escapeHTML(S.Title) << "</h2>\n";
  for (const std::string &Sentence : S.Sentences)
    OS << "<p>" << escapeHTML(Sentence) << "</p>\n";
  draw(P, S, OS);
  OS << "<div class=\"table\"><table>\n<thead>";
  writeRow(S.Columns, "th", OS);
  OS << "</thead>\n<tbody>\n";
  for (const std::vector<std::string> &Row : S.Rows)
    writeRow(Row, "td", OS);
  OS << "</tbody></table></div>\n</section>\n";
}

} // namespace

void graupel::writeHTML(const Portrait &P, raw_ostream &OS) {
  const std::string Name = escapeHTML(sys::path::filename(P.Program));
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>Statistics of "
     << Name << "</title>\n<style>" << Style << "</style>\n</head>\n<body>\n"
     << "<h1>Statistics of " << Name << "</h1>\n<p class=\"from\">"
     << escapeHTML(P.Program);
  if (!P.Profile.empty())
    OS << ", profile " << escapeHTML(P.Profile);
  OS << "</p>\n<main>\n";
  for (const Section &S : sectionsOf(P))
    writeSection(P, S, OS);
  OS << "</main>\n</body>\n</html>\n";
}
