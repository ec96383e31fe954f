//===- Stride/Report/Annotate.cpp -----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/Table.h"
#include "llvm/Support/Format.h"

using llvm::format;
using llvm::raw_ostream;

namespace graupel::stride {

static Pattern both(const LineSum &L) {
  Pattern P = L.Loads;
  P.add(L.Stores);
  return P;
}

static void writeFigures(const LineSum *L, raw_ostream &OS) {
  if (!L) {
    OS << format("%12s %12s %6s %6s %6s %6s", "", "", "", "", "", "");
    return;
  }
  const Pattern P = both(*L);
  auto Number = [](uint64_t N) { return N ? grouped(N) : std::string("."); };
  OS << format("%12s %12s", Number(L->Loads.References).c_str(),
               Number(L->Stores.References).c_str());
  for (uint64_t Part : {P.Unit, P.Same, P.Constant, P.Irregular})
    if (Part)
      OS << format(" %6.1f", 100 * P.share(Part));
    else
      OS << format(" %6s", ".");
}

/// Misses of the line's loads and stores, of each level.
static void writeMisses(const Report &Rep, const Line &Where, raw_ostream &OS) {
  MissCounts Both;
  for (bool Store : {false, true})
    if (const MissCounts *M = Rep.M->of(Where, Store))
      Both.add(*M);
  for (unsigned N = 0; N < Rep.M->LevelCount; ++N)
    OS << format(" %12s", Both.Levels[N].Misses
                              ? grouped(Both.Levels[N].Misses).c_str()
                          : Rep.P->Lines.count(Where) ? "."
                                                      : "");
}

static void writeFile(Report &Rep, const std::string &File,
                      const std::map<uint32_t, const LineSum *> &Lines,
                      raw_ostream &OS) {
  const std::vector<std::string> *Source = Rep.Texts.find(File);
  OS << '\n' << (File.empty() ? "Code without lines" : File) << '\n';
  if (!Source && !File.empty())
    OS << "(the source is not there; lines by number only)\n";
  OS << format("%12s %12s %6s %6s %6s %6s", "loads", "stores", "unit %",
               "same %", "const%", "irreg%");
  for (unsigned N = 0; N < Rep.M->LevelCount; ++N)
    OS << format(
        " %12s",
        (std::string(Rep.R.Caches.Levels[N].Name) + " misses").c_str());
  OS << format("  %5s\n", "line");
  std::vector<uint32_t> Shown;
  for (const auto &[Number, Sum] : Lines)
    Shown.push_back(Number);
  if (Source)
    // Line 0 has no neighbors.
    Shown = withContext(Shown, 3, Source->size());
  if (Lines.count(0) && (Shown.empty() || Shown[0] != 0))
    Shown.insert(Shown.begin(), 0);
  uint32_t Before = 0;
  for (uint32_t Number : Shown) {
    if (Source && Number > Before + 1)
      OS << "...\n";
    Before = Number;
    auto Found = Lines.find(Number);
    writeFigures(Found == Lines.end() ? nullptr : Found->second, OS);
    writeMisses(Rep, {File, Number}, OS);
    if (!Number)
      OS << "      ?  (no line known)\n";
    else
      OS << format("  %5u  ", Number) << Rep.Texts.line(File, Number) << '\n';
  }
}

void writeAnnotated(Report &Rep, raw_ostream &OS) {
  OS << Rep.R.Program << ": " << counted(Rep.P->All.References, "reference")
     << ": " << describe(Rep.P->All) << '\n'
     << "Percentages are of the line's loads and stores together.\n";
  std::map<std::string, std::map<uint32_t, const LineSum *>> Files;
  std::map<std::string, uint64_t> References;
  for (const auto &[Where, Sum] : Rep.P->Lines) {
    Files[Where.File][Where.Number] = &Sum;
    References[Where.File] += both(Sum).References;
  }
  std::vector<std::string> Order;
  for (const auto &[File, Lines] : Files)
    Order.push_back(File);
  std::stable_sort(Order.begin(), Order.end(),
                   [&](const std::string &A, const std::string &B) {
                     return References[A] > References[B];
                   });
  for (const std::string &File : Order)
    writeFile(Rep, File, Files[File], OS);
}

} // namespace graupel::stride
