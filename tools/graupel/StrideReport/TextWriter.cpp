//===- StrideReport/TextWriter.cpp ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/Table.h"
#include "Sampling.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using llvm::format;
using llvm::raw_ostream;

namespace graupel::stride {

/// Words up to column 78, indented.
static void wrap(llvm::StringRef Text, raw_ostream &OS) {
  size_t Column = 0;
  while (!Text.empty()) {
    auto [Word, Rest] = Text.split(' ');
    if (Column && Column + 1 + Word.size() > 78) {
      OS << '\n';
      Column = 0;
    }
    OS << (Column ? " " : "     ") << Word;
    Column += (Column ? 1 : 5) + Word.size();
    Text = Rest;
  }
  OS << '\n';
}

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
       << U.Function;
    if (std::string Cost = costOf(I); !Cost.empty())
      OS << " (" << Cost << ')';
    OS << '\n';
    if (std::string Text = Rep.Texts.line(U.Where.File, U.Where.Number);
        !Text.empty())
      OS << "     | " << llvm::StringRef(Text).trim() << '\n';
    wrap(I.What, OS);
    wrap(I.Advice, OS);
  }
}

static void writeStream(const Report &Rep, const ObjectStream &S,
                        raw_ostream &OS, const Uncertainty &Uncertain) {
  uint64_t All = S.Counts.References;
  auto Share = [&](uint64_t Part) {
    return All ? 100.0 * double(Part) / double(All) : 0.0;
  };
  OS << '\n'
     << S.Name << ": " << All << (S.Store ? " stores" : " loads")
     << ", elements of " << S.ElementBytes << " bytes\n";
  if (auto Points = Uncertain.ofShare(S.Counts))
    OS << format("  %.2f +- %.2f %% of all references\n",
                 100.0 * double(All) / double(Rep.P->All.References), *Points);
  for (unsigned Lag = 0; Lag < Rep.MaxLag; ++Lag)
    for (auto [Bin, Count] : S.Counts.Lags[Lag]) {
      OS << "  " << Lag + 1 << " back  "
         << format("%-20s %6.2f %%  ", labelOfBin(Bin, S.ElementBytes).c_str(),
                   Share(Count));
      if (auto Points = Uncertain.ofBin(S.Counts, Lag, Bin))
        OS << format("+- %.2f  ", *Points);
      OS << Count << '\n';
    }
  auto Found = Rep.M->Streams.find({S.Object, S.Store});
  if (Found != Rep.M->Streams.end())
    writeMisses(Rep, &Found->second, All, OS);
  for (const SiteShare &Each : S.Sites) {
    const Site &Where = Rep.R.Sites[Each.Site];
    OS << "  at " << (Where.File.empty() ? "?" : Where.File) << ':'
       << Where.Facts.Line << ' ' << Where.Facts.Bytes << " bytes in "
       << readableFunction(Where.Function)
       << format(" %6.2f %%\n", Share(Each.Counts.References));
  }
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
  const Uncertainty Uncertain(Rep.R);
  for (const ObjectStream &S : Rep.streams())
    writeStream(Rep, S, OS, Uncertain);
  for (const BulkSum &B : Rep.P->Bulk)
    OS << '\n'
       << (*Rep.O)[B.Object].Name << ": " << grouped(B.Calls)
       << (B.Store ? " times stored" : " times loaded") << " in bulk"
       << ", " << counted(B.Bytes, "byte") << "\n  at " << B.Where.shortName()
       << " in " << B.Function << '\n';
}

} // namespace graupel::stride
