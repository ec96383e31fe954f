//===- StrideReport/Diff.cpp
//-----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two runs are compared by data and by line. Lines are the same if their text
// is, in functions of the same name, since numbers move when a file is edited;
// where there is no source, if the number is. If one line of a function is gone
// and one is new that refers to the same data, that line was edited. A heap
// object is the same if what it is assigned to is.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <set>
#include <tuple>

using llvm::raw_ostream;

namespace graupel::stride {

namespace {

/// References of one side of a comparison.
struct Side {
  Pattern P;
  Code Made;
  std::set<Line> Lines;
  bool Bulk = false; ///< Also by calls of memcpy and the like.
  bool any() const { return P.References != 0; }
};

struct Pair {
  std::string Name; ///< Of the data, with "loads" or "stores".
  std::string Text; ///< Of the line, if there is one.
  Side Before, After;
  uint64_t most() const {
    return std::max(Before.P.References, After.P.References);
  }
};

/// Changes of a share that are worth a sentence, in percent points.
constexpr double Points = 5;

std::string nameWithoutLine(const NamedObject &O) {
  if (O.Kind != ObjectKind::Heap)
    return O.Name;
  size_t Space = O.Name.rfind(' ');
  std::string Last = O.Name.substr(Space + 1);
  return Last.find(':') == std::string::npos ? "heap " + Last : O.Name;
}

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

/// What the compiler, or who changed the source, did to it, in words.
std::vector<std::string> claims(const Pair &C) {
  std::vector<std::string> Said;
  const Side &B = C.Before, &A = C.After;
  if (!B.any() || !A.any()) {
    const bool Bulk = A.any() ? B.Bulk : A.Bulk;
    Said.push_back(std::string(A.any() ? "new: it was " : "gone: it is ") +
                   (Bulk ? "copied or filled in bulk" : "not referred to") +
                   (A.any() ? " before"
                    : Bulk  ? " now"
                            : " any more") +
                   (Bulk ? " (memcpy, memset)" : ""));
    return Said;
  }
  auto Moved = [&](uint64_t Pattern::*Part) {
    return 100 * (A.P.share(A.P.*Part) - B.P.share(B.P.*Part));
  };
  if (A.Made.MostLanes > B.Made.MostLanes)
    Said.push_back((B.Made.MostLanes > 1 ? "wider vectors: " : "vectorised: ") +
                   describe(A.Made));
  else if (A.Made.MostLanes < B.Made.MostLanes)
    Said.push_back(A.Made.MostLanes > 1
                       ? "narrower vectors: " + describe(A.Made)
                       : "no longer vectorised");
  if (A.Made.Gathered != B.Made.Gathered)
    Said.push_back(A.Made.Gathered ? "made by vector gathers or scatters now"
                                   : "no gathers or scatters any more");
  double Bytes = B.P.Bytes > 0 ? A.P.Bytes / B.P.Bytes - 1 : 0;
  if (std::abs(Bytes) > 0.01)
    Said.push_back(
        Bytes < 0 ? percentText(-100 * Bytes) +
                        " fewer bytes referred to: values stay in registers, "
                        "or work is gone"
                  : percentText(100 * Bytes) + " more bytes referred to");
  else if (A.P.References != B.P.References)
    Said.push_back(
        "the same bytes by " +
        std::string(A.P.References < B.P.References ? "fewer" : "more") +
        " references");
  if (A.Made.Sites != B.Made.Sites)
    Said.push_back(std::string(A.Made.Sites > B.Made.Sites
                                   ? "more copies in the code (unrolled, "
                                     "inlined or split): "
                                   : "fewer copies in the code: ") +
                   std::to_string(B.Made.Sites) + " -> " +
                   std::to_string(A.Made.Sites));
  if (Moved(&Pattern::Same) <= -Points)
    Said.push_back("elements are no longer referred to twice");
  else if (Moved(&Pattern::Same) >= Points)
    Said.push_back("elements are referred to again at once");
  if (Moved(&Pattern::Far) <= -Points)
    Said.push_back("fewer jumps beyond the threshold: " +
                   percentText(100 * B.P.share(B.P.Far)) + " -> " +
                   percentText(100 * A.P.share(A.P.Far)));
  else if (Moved(&Pattern::Far) >= Points)
    Said.push_back("more jumps beyond the threshold: " +
                   percentText(100 * B.P.share(B.P.Far)) + " -> " +
                   percentText(100 * A.P.share(A.P.Far)));
  else if (std::abs(Moved(&Pattern::Unit)) >= Points)
    Said.push_back(Moved(&Pattern::Unit) > 0 ? "more of it side by side"
                                             : "less of it side by side");
  return Said;
}

class Comparison {
public:
  Comparison(Report &Before, Report &After) {
    add(Before, &Pair::Before);
    add(After, &Pair::After);
    addBulk(Before, &Pair::Before);
    addBulk(After, &Pair::After);
    joinEdited();
  }
  std::vector<const Pair *> data() const { return sorted(ByData); }
  std::vector<const Pair *> lines() const { return sorted(ByLine); }

private:
  using DataKey = std::pair<std::string, bool>;
  using LineKey = std::tuple<std::string, std::string, std::string, bool>;

  void add(Report &R, Side Pair::*Which);
  void addBulk(Report &R, Side Pair::*Which);
  void joinEdited();
  template <class Map>
  static std::vector<const Pair *> sorted(const Map &From) {
    std::vector<const Pair *> Result;
    for (auto &[Key, P] : From)
      Result.push_back(&P);
    std::stable_sort(
        Result.begin(), Result.end(),
        [](const Pair *A, const Pair *B) { return A->most() > B->most(); });
    return Result;
  }

  std::map<DataKey, Pair> ByData;
  std::map<LineKey, Pair> ByLine;
};

void Comparison::add(Report &R, Side Pair::*Which) {
  auto Put = [&](Pair &To, const Use &U, const std::string &Name) {
    To.Name = Name + (U.Store ? ", stores" : ", loads");
    Side &S = To.*Which;
    S.P.add(U.P);
    S.Lines.insert(U.Where);
    S.Made.Sites += U.Made.Sites;
    S.Made.MostBytes = std::max(S.Made.MostBytes, U.Made.MostBytes);
    S.Made.MostLanes = std::max(S.Made.MostLanes, U.Made.MostLanes);
    S.Made.ElementBytes = std::max(S.Made.ElementBytes, U.Made.ElementBytes);
    S.Made.Gathered |= U.Made.Gathered;
    S.Made.Masked |= U.Made.Masked;
  };
  for (const Use &U : R.P->Uses) {
    std::string Name = nameWithoutLine((*R.O)[U.Object]);
    Put(ByData[{Name, U.Store}], U, Name);
    std::string Text =
        llvm::StringRef(R.Texts.line(U.Where.File, U.Where.Number))
            .trim()
            .str();
    std::string Same = Text.empty() ? U.Where.shortName() : Text;
    Pair &To = ByLine[{U.Function, Same, Name, U.Store}];
    To.Text = Text;
    Put(To, U, Name);
  }
}

void Comparison::addBulk(Report &R, Side Pair::*Which) {
  for (const BulkSum &S : R.P->Bulk)
    if (auto Found = ByData.find({nameWithoutLine((*R.O)[S.Object]), S.Store});
        Found != ByData.end())
      (Found->second.*Which).Bulk = true;
}

void Comparison::joinEdited() {
  struct Alone {
    std::vector<LineKey> Gone, New;
  };
  std::map<std::tuple<std::string, std::string, bool>, Alone> Found;
  for (auto &[Key, P] : ByLine) {
    auto &[Function, Line, Name, Store] = Key;
    if (!P.After.any())
      Found[{Function, Name, Store}].Gone.push_back(Key);
    else if (!P.Before.any())
      Found[{Function, Name, Store}].New.push_back(Key);
  }
  for (auto &[Key, A] : Found)
    if (A.Gone.size() == 1 && A.New.size() == 1) {
      Pair &To = ByLine[A.Gone[0]], &From = ByLine[A.New[0]];
      To.After = From.After;
      if (To.Text != From.Text && !From.Text.empty())
        To.Text += To.Text.empty() ? From.Text : "\n  > " + From.Text;
      ByLine.erase(A.New[0]);
    }
}

std::string places(const Side &S) {
  std::string Text;
  for (const Line &L : S.Lines)
    Text += (Text.empty() ? "" : ", ") + L.shortName();
  return Text;
}

void writePair(const Pair &C, raw_ostream &OS) {
  OS << "  " << change(C.Before.P.References, C.After.P.References)
     << " references\n  " << shares(C.Before.P, C.After.P) << '\n';
  for (const std::string &Each : claims(C))
    OS << "  * " << Each << '\n';
}

/// Nothing but the order of equal things can differ.
bool isSame(const Pair &C) {
  const Pattern &B = C.Before.P, &A = C.After.P;
  return B.References == A.References && B.Unit == A.Unit && B.Same == A.Same &&
         B.Constant == A.Constant && B.Irregular == A.Irregular &&
         B.Bytes == A.Bytes && C.Before.Made.Sites == C.After.Made.Sites;
}

/// Fewer references than this part of all are left out.
constexpr double LeastShare = 0.001;

} // namespace

void writeDiff(Report &Before, Report &After, raw_ostream &OS) {
  const Pattern &B = Before.P->All, &A = After.P->All;
  OS << "before: " << Before.R.Program << ": " << describe(B)
     << "\nafter:  " << After.R.Program << ": " << describe(A)
     << "\nall references: " << change(B.References, A.References)
     << "\nlines entered beyond those needed, if no cache kept any: "
     << change(uint64_t(std::max(0.0, B.Lines - B.Bytes / LineBytes)),
               uint64_t(std::max(0.0, A.Lines - A.Bytes / LineBytes)))
     << '\n';
  Comparison C(Before, After);
  double Least = LeastShare * double(std::max(B.References, A.References));
  unsigned Same = 0, Small = 0;
  auto Show = [&](const Pair &P) {
    if (isSame(P))
      ++Same;
    else if (double(P.most()) < Least)
      ++Small;
    else
      return true;
    return false;
  };
  auto Rest = [&](const char *What) {
    if (Same || Small)
      OS << "\n"
         << Same << ' ' << What << " as before; " << Small
         << " changed that have less than 0.1 % of the references.\n";
    Same = Small = 0;
  };
  OS << "\nWhat changed, by data:\n";
  for (const Pair *P : C.data())
    if (Show(*P)) {
      OS << '\n' << P->Name << ":\n";
      writePair(*P, OS);
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
         << ": " << P->Name << '\n';
      if (!P->Text.empty())
        OS << "  | " << P->Text << '\n';
      writePair(*P, OS);
    }
  Rest("lines");
}

} // namespace graupel::stride
