//===- Stride/Report/Diff.cpp ---------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a Comparison of two reports. Part by part:
//
// 1. change(), shares(), places() and misses() write the two sides of one
//    figure. Misses are shown only if both runs simulated the same caches.
// 2. writeDiffJSON() writes all pairs, by data and by line, with both sides,
//    and with claims where something changed.
// 3. writeDiff() writes the sums of both runs, and then the changed pairs by
//    data and by line. Pairs as before, and those with less than 0.1 % of the
//    references, are only counted.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Report/Table.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <cstring>

using llvm::raw_ostream;

namespace graupel::stride {

namespace {

std::string change(uint64_t Before, uint64_t After) {
  if (Before == After)
    return grouped(Before) + " as before";
  std::string Text = grouped(Before) + " -> " + grouped(After);
  std::string Percent = changeText(Before, After);
  return Percent.empty() ? Text : Text + " (" + Percent + ")";
}

std::string shares(const Pattern &B, const Pattern &A) {
  std::string Text;
  auto Add = [&](const char *Name, uint64_t Pattern::*Part) {
    double Old = 100 * B.share(B.*Part), New = 100 * A.share(A.*Part);
    if (Old == 0 && New == 0)
      return;
    Text += (Text.empty() ? "" : ", ") + std::string(Name) + " " +
            (std::abs(Old - New) < 0.05
                 ? percentText(New)
                 : percentText(Old) + " -> " + percentText(New));
  };
  Add("unit", &Pattern::Unit);
  Add("same", &Pattern::Same);
  Add("constant", &Pattern::Constant);
  Add("irregular", &Pattern::Irregular);
  return Text;
}

std::string places(const Side &S) {
  std::string Text;
  for (const Line &L : S.Lines)
    Text += (Text.empty() ? "" : ", ") + L.shortName();
  return Text;
}

/// "L1 2 -> 1 (-50.0 %), L2 1 as before"; nothing if not both were simulated
/// with the same caches.
std::string misses(const Report &Before, const Report &After,
                   const MissCounts &B, const MissCounts &A) {
  const CachesRecord &Caches = Before.R.Caches;
  std::string Text;
  if (memcmp(&Caches, &After.R.Caches, sizeof(Caches)) != 0)
    return Text;
  for (unsigned N = 0; N < Caches.LevelCount; ++N)
    Text += (N ? ", " : "") + std::string(Caches.Levels[N].Name) + " " +
            change(B.Levels[N].Misses, A.Levels[N].Misses);
  return Text;
}

void writePair(const Pair &C, const Report &Before, const Report &After,
               raw_ostream &OS) {
  OS << "  " << change(C.Before.P.References, C.After.P.References)
     << " references\n  " << shares(C.Before.P, C.After.P) << '\n';
  std::string M = misses(Before, After, C.Before.Misses, C.After.Misses);
  if (!M.empty())
    OS << "  misses: " << M << '\n';
  for (const std::string &Each : C.claims())
    OS << "  * " << Each << '\n';
}

/// Fewer references than this part of all are left out.
constexpr double LeastShare = 0.001;

} // namespace

static void writeSide(llvm::json::OStream &J, llvm::StringRef Name,
                      const Side &S, unsigned LevelCount) {
  J.attributeObject(Name, [&] {
    J.attribute("references", S.P.References);
    J.attribute("unit", S.P.Unit);
    J.attribute("same", S.P.Same);
    J.attribute("constant", S.P.Constant);
    J.attribute("irregular", S.P.Irregular);
    J.attribute("first", S.P.First);
    J.attribute("bytes", static_cast<uint64_t>(S.P.Bytes));
    J.attribute("sites", S.Made.Sites);
    J.attribute("lanes", S.Made.MostLanes);
    J.attribute("bulk", S.Bulk);
    if (LevelCount)
      J.attributeArray("misses", [&] {
        for (unsigned N = 0; N < LevelCount; ++N)
          J.value(S.Misses.Levels[N].Misses);
      });
    J.attributeArray("lines", [&] {
      for (const Line &L : S.Lines)
        J.value(llvm::json::fixUTF8(L.shortName()));
    });
  });
}

void writeDiffJSON(Report &Before, Report &After, raw_ostream &OS) {
  Comparison C(Before, After);
  llvm::json::OStream J(OS, 1);
  auto List = [&](llvm::StringRef Name, const std::vector<const Pair *> &All) {
    J.attributeArray(Name, [&] {
      for (const Pair *P : All)
        J.object([&] {
          J.attribute("object", llvm::json::fixUTF8(P->Name));
          J.attribute("kind", P->Store ? "store" : "load");
          if (Name == "lines")
            J.attribute("text", llvm::json::fixUTF8(P->Text));
          J.attribute("changed", !P->isSame());
          writeSide(J, "before", P->Before, Before.M->LevelCount);
          writeSide(J, "after", P->After, After.M->LevelCount);
          J.attributeArray("claims", [&] {
            if (!P->isSame())
              for (const std::string &Each : P->claims())
                J.value(llvm::json::fixUTF8(Each));
          });
        });
    });
  };
  J.object([&] {
    J.attribute("version", 1);
    J.attribute("before", llvm::json::fixUTF8(Before.R.Program));
    J.attribute("after", llvm::json::fixUTF8(After.R.Program));
    List("streams", C.data());
    List("lines", C.lines());
  });
  OS << '\n';
}

void writeDiff(Report &Before, Report &After, raw_ostream &OS) {
  const Pattern &B = Before.P->All, &A = After.P->All;
  OS << "before: " << Before.R.Program << ": " << describe(B)
     << "\nafter:  " << After.R.Program << ": " << describe(A)
     << "\nall references: " << change(B.References, A.References)
     << "\nlines entered beyond those needed, if no cache kept any: "
     << change(uint64_t(std::max(0.0, B.Lines - B.Bytes / LineBytes)),
               uint64_t(std::max(0.0, A.Lines - A.Bytes / LineBytes)))
     << '\n';
  if (std::string M = misses(Before, After, Before.M->All, After.M->All);
      !M.empty())
    OS << "simulated misses: " << M << '\n';
  else if (Before.M->any() || After.M->any())
    OS << "Misses cannot be compared: the caches are not the same.\n";
  Comparison C(Before, After);
  double Least = LeastShare * double(std::max(B.References, A.References));
  unsigned Same = 0, Small = 0;
  auto Show = [&](const Pair &P) {
    if (P.isSame())
      ++Same;
    else if (double(P.most()) < Least)
      ++Small;
    else
      return true;
    return false;
  };
  auto Rest = [&](const char *Noun) {
    if (Same || Small)
      OS << "\n"
         << Same << ' ' << Noun << " as before; " << Small
         << " changed that have less than 0.1 % of the references.\n";
    Same = Small = 0;
  };
  OS << "\nWhat changed, by data:\n";
  for (const Pair *P : C.data())
    if (Show(*P)) {
      OS << '\n' << P->title() << ":\n";
      writePair(*P, Before, After, OS);
    }
  Rest("streams");
  OS << "\nWhat changed, by line:\n";
  for (const Pair *P : C.lines())
    if (Show(*P)) {
      std::string Old = places(P->Before), New = places(P->After);
      OS << '\n'
         << (Old.empty()   ? New
             : New.empty() ? Old
             : Old == New  ? Old
                           : Old + " -> " + New)
         << ": " << P->title() << '\n';
      if (!P->Text.empty())
        OS << "  | " << P->Text << '\n';
      writePair(*P, Before, After, OS);
    }
  Rest("lines");
}

} // namespace graupel::stride
