//===- Numa/Report/BenchText.cpp - Measurements for a terminal ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"
#include "Report/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

namespace graupel::numa {

using namespace bench;
using llvm::raw_ostream;

std::string figureText(double Value) {
  double Size = std::abs(Value);
  if (Value == std::floor(Value) && Size < 1e15)
    return (Value < 0 ? "-" : "") + grouped(uint64_t(Size));
  int Decimals = Size >= 1000 ? 0 : Size >= 100 ? 1 : Size >= 10 ? 2 : 3;
  if (Decimals == 0)
    return (Value < 0 ? "-" : "") + grouped(uint64_t(Size + 0.5));
  char Text[64];
  snprintf(Text, sizeof(Text), "%.*f", Decimals, Value);
  return Text;
}

std::string benchSource(const BenchReport &R) {
  std::string Text =
      R.M.Host + ", " + R.M.Model + ", " + R.M.Kernel + ": " +
      std::to_string(R.M.Nodes.size()) +
      (R.M.Nodes.size() == 1 ? " node, " : " nodes, ") +
      std::to_string(R.M.processors().size()) +
      (R.M.processors().size() == 1 ? " processor" : " processors");
  char Ending[128];
  snprintf(Ending, sizeof(Ending),
           "; %u passes in %.0f s, %.1f %% of the processors' time was stolen "
           "by other guests",
           R.Session.passes(), R.Session.seconds(), R.Session.stolenPercent());
  return Text + Ending;
}

static void writeFilled(const FilledTable &T, raw_ostream &OS) {
  OS << '\n'
     << T.Name << ", " << T.Unit << (T.Published ? " (published)" : "") << '\n';
  writeWrapped(T.About, 0, 80, OS);
  std::vector<size_t> Widths;
  std::vector<std::vector<std::string>> Texts{T.Columns};
  for (const auto &Row : T.Rows) {
    Texts.emplace_back();
    for (const Entry &E : Row)
      Texts.back().push_back(E.Value           ? figureText(*E.Value)
                             : E.Words.empty() ? "-"
                                               : E.Words);
  }
  Widths.resize(T.Columns.size());
  for (const auto &Row : Texts)
    for (size_t N = 0; N < Row.size(); ++N)
      Widths[N] = std::max(Widths[N], Row[N].size());
  for (size_t R = 0; R < Texts.size(); ++R) {
    OS << ' ';
    for (size_t N = 0; N < Texts[R].size(); ++N)
      OS << ' ' << llvm::right_justify(Texts[R][N], unsigned(Widths[N]));
    if (R && !T.Unstable[R - 1].empty())
      OS << "  unstable";
    OS << '\n';
  }
  for (size_t R = 0; R < T.Rows.size(); ++R)
    if (!T.Unstable[R].empty())
      writeWrapped("unstable: row " + Texts[R + 1][0] + ", " + T.Unstable[R], 0,
                   80, OS);
}

static void writeCalibration(const BenchReport &R, raw_ostream &OS) {
  if (R.Session.calibration().pairs().empty())
    return;
  OS << "\npairs of processors, ns apart\n  reader owner   first    last   "
        "least    most  times  changes\n";
  for (const auto &[Pair, Seen] : R.Session.calibration().pairs())
    OS << llvm::format("  %6u %5u %7.1f %7.1f %7.1f %7.1f %6u %8u\n",
                       Pair.first, Pair.second, Seen.First, Seen.Last,
                       Seen.Least, Seen.Most, Seen.Times, Seen.Changes);
}

/// Writes them in the format of (Prestor 2001)'s program.
static void writeRuns(const BenchReport &R, raw_ostream &OS) {
  OS << "\nEXPERIMENT         STAT   TID        MIN        MAX        MED    "
        "    AVG      STDEV UNIT\n";
  for (size_t N = 0; N < R.Plan.Cases.size(); ++N) {
    const Case &C = R.Plan.Cases[N];
    const auto &All = R.Session.records()[N].Seen.All;
    if (All.empty())
      continue;
    Summary S = summarize(All);
    OS << llvm::format("%-18s %-4s %5u", nameOf(C.TimedKernel), nameOf(C.From),
                       C.Local[0]);
    for (double Value : {S.Least, S.Most, S.Median, S.Average, S.Deviation})
      OS << llvm::format(" %10.3f", Value);
    OS << (isLatency(C.TimedKernel) ? " ns\n" : " MB/s\n");
  }
}

void writeBenchText(const BenchReport &R, bool Runs, raw_ostream &OS) {
  writeWrapped(benchSource(R), 0, 80, OS);
  for (const FilledTable &T : R.Tables)
    writeFilled(T, OS);
  writeCalibration(R, OS);
  if (Runs)
    writeRuns(R, OS);
  if (!R.Notes.empty())
    OS << '\n';
  for (const std::string &Note : R.Notes)
    writeWrapped("note: " + Note, 0, 80, OS);
}

} // namespace graupel::numa
