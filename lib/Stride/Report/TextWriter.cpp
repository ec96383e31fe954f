//===- Stride/Report/TextWriter.cpp ---------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the report for a terminal, from top to bottom:
//
// 1. The program, the settings, and what was sampled. Without references, the
//    reason why, and nothing else.
// 2. The sum of all references, and the simulated caches (writeCaches).
// 3. Issues with their lines of source, words wrapped at column 78
//    (writeIssues).
// 4. The first 20 streams (writeStream): bins by distance, misses, and places.
//    StreamLines makes one line of those below half a percent.
// 5. The first 10 places with copies or fills in bulk (writeBulk).
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/Table.h"
#include "Stride/Record/Sampling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using llvm::format;
using llvm::raw_ostream;

namespace graupel::stride {

static void writeIssues(Report &Rep, raw_ostream &OS) {
  if (Rep.Issues.empty()) {
    OS << "\nNo issues: "
       << (Rep.M->any() ? "in these caches, nothing costs as much as half a "
                          "percent of all.\n"
                        : "nothing that the references tell is worth a "
                          "change.\n");
    return;
  }
  OS << "\nIssues, worst first: by ";
  if (Rep.M->any())
    OS << "simulated misses, each level's worth four of the one before\n"
          "and a reference a quarter of the first's; half a percent at "
          "least.\n";
  else
    OS << "lines of " << LineBytes
       << " bytes entered beyond those needed, as if\nno cache kept any.\n";
  unsigned Number = 0;
  for (const Issue &I : Rep.Issues) {
    const Use &U = Rep.P->Uses[I.Use];
    OS << '\n'
       << ++Number << ". " << nameOfIssue(I.Kind) << ": "
       << (*Rep.O)[U.Object].Name << " at " << U.Where.shortName() << " in "
       << briefFunction(U.Function);
    if (std::string Cost = costOf(I); !Cost.empty())
      OS << " (" << Cost << ')';
    OS << '\n';
    if (std::string Text = Rep.Texts.line(U.Where.File, U.Where.Number);
        !Text.empty())
      OS << "     | " << llvm::StringRef(Text).trim() << '\n';
    writeWrapped(I.Problem, 5, 78, OS);
    writeWrapped(I.Advice, 5, 78, OS);
  }
}

namespace {

/// A terminal shows what matters; pages and JSON have all of it.
constexpr size_t MostStreams = 20, MostBulk = 10;
constexpr double LeastPercent = 0.5;

/// Lines of a stream, of which small ones become one.
class StreamLines {
public:
  StreamLines(uint64_t All, raw_ostream &OS) : All(All), OS(OS) {}
  /// `Points`: percentage points that sampling leaves uncertain.
  void add(const std::string &Text, uint64_t Count,
           std::optional<double> Points = std::nullopt) {
    if (percent(Count) >= LeastPercent)
      return write(Text, Count, Points);
    ++Others;
    OtherCounts += Count;
    Last = Text;
  }
  /// `Format` has the number of those that were small.
  void end(const char *Format) {
    if (Others)
      write(Others == 1 ? Last : llvm::formatv(Format, Others).str(),
            OtherCounts);
    Others = OtherCounts = 0;
  }

private:
  double percent(uint64_t Count) const {
    return All ? 100.0 * double(Count) / double(All) : 0.0;
  }
  void write(const std::string &Text, uint64_t Count,
             std::optional<double> Points = std::nullopt) {
    OS << "  " << format("%-29s %6.2f %%  ", Text.c_str(), percent(Count));
    if (Points)
      OS << format("+- %.2f  ", *Points);
    OS << Count << '\n';
  }
  uint64_t All, Others = 0, OtherCounts = 0;
  std::string Last;
  raw_ostream &OS;
};

} // namespace

/// Unrolled and inlined code has several sites in one place. Most references
/// first.
static std::vector<std::pair<std::string, uint64_t>>
placesOf(const Report &Rep, const ObjectStream &S) {
  std::map<std::string, uint64_t> Counts;
  for (const SiteShare &Each : S.Sites) {
    const Site &Where = Rep.R.Sites[Each.Site];
    const std::string Place =
        "at " + Line{Where.File, Where.Facts.Line}.shortName() + " " +
        std::to_string(Where.Facts.Bytes) + " bytes in " +
        briefFunction(readableFunction(Where.Function));
    Counts[Place] += Each.Counts.References;
  }
  std::vector<std::pair<std::string, uint64_t>> Result(Counts.begin(),
                                                       Counts.end());
  llvm::stable_sort(
      Result, [](const auto &A, const auto &B) { return A.second > B.second; });
  return Result;
}

static void writeStream(const Report &Rep, const ObjectStream &S,
                        const Uncertainty &Uncertain, raw_ostream &OS) {
  const uint64_t All = S.Counts.References;
  OS << '\n'
     << S.Name << ": " << All << (S.Store ? " stores" : " loads")
     << ", elements of " << S.ElementBytes << " bytes\n";
  if (auto Points = Uncertain.ofShare(S.Counts))
    OS << format("  %.2f +- %.2f %% of all references\n",
                 100.0 * double(All) / double(Rep.P->All.References), *Points);
  StreamLines Lines(All, OS);
  for (unsigned Lag = 0; Lag < Rep.MaxLag; ++Lag) {
    const std::string Back = std::to_string(Lag + 1) + " back  ";
    for (auto [Bin, Count] : S.Counts.Lags[Lag])
      Lines.add(Back + labelOfBin(Bin, S.ElementBytes), Count,
                Uncertain.ofBin(S.Counts, Lag, Bin));
    Lines.end((Back + "{0} others").c_str());
  }
  auto Found = Rep.M->Streams.find({S.Object, S.Store});
  if (Found != Rep.M->Streams.end())
    writeMisses(Rep, &Found->second, All, OS);
  for (const auto &[Place, Count] : placesOf(Rep, S))
    Lines.add(Place, Count);
  Lines.end("at {0} other places");
}

static void writeStreams(const Report &Rep, raw_ostream &OS) {
  const std::vector<ObjectStream> Streams = Rep.streams();
  const Uncertainty Uncertain(Rep.R);
  uint64_t Left = 0;
  for (size_t N = 0; N < Streams.size(); ++N)
    if (N < MostStreams)
      writeStream(Rep, Streams[N], Uncertain, OS);
    else
      Left += Streams[N].Counts.References;
  if (Streams.size() > MostStreams)
    OS << '\n'
       << counted(Streams.size() - MostStreams, "more stream") << " with "
       << percentText(100 * double(Left) / double(Rep.P->All.References))
       << " of the references: --html and --json have all.\n";
}

static void writeBulk(const Report &Rep, raw_ostream &OS) {
  const auto &Bulk = Rep.P->Bulk;
  uint64_t Left = 0;
  for (size_t N = MostBulk; N < Bulk.size(); ++N)
    Left += Bulk[N].Bytes;
  for (const BulkSum &B : llvm::ArrayRef(Bulk).take_front(MostBulk))
    OS << '\n'
       << (*Rep.O)[B.Object].Name << ": " << grouped(B.Calls)
       << (B.Store ? " times stored" : " times loaded") << " in bulk"
       << ", " << counted(B.Bytes, "byte") << "\n  at " << B.Where.shortName()
       << " in " << briefFunction(B.Function) << '\n';
  if (Bulk.size() > MostBulk)
    OS << '\n'
       << counted(Bulk.size() - MostBulk, "more place") << " with "
       << counted(Left, "byte") << " in bulk.\n";
}

void writeText(Report &Rep, raw_ostream &OS) {
  OS << Rep.R.Program << ": variant "
     << (Rep.Which == Variant::All ? "all" : "filtered") << ", threshold "
     << Rep.R.Header.Threshold << " bytes\n";
  if (Rep.R.Header.State == RecordState::Running)
    OS << "The process was running, or ended without notice.\n";
  if (auto S = sampledPart(Rep.R))
    OS << "Sampled: " << counted(S->Bursts, "burst") << ", "
       << format("%.2g", S->percent())
       << " % of references; counts are estimates.\n";
  OS << "Percentages are of all references of the stream.\n";
  if (Rep.R.Shares.empty()) {
    const std::string Why = whyNothing(Rep);
    OS << '\n' << llvm::toUpper(Why[0]) << Why.substr(1) << ".\n";
    return;
  }
  OS << counted(Rep.P->All.References, "reference") << ": "
     << describe(Rep.P->All) << ".\n";
  writeCaches(Rep, OS);
  writeIssues(Rep, OS);
  writeStreams(Rep, OS);
  writeBulk(Rep, OS);
}

} // namespace graupel::stride
