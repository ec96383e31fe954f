//===- Stride/Report/Comparison.cpp ---------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs what two runs do to the same data and lines, and says what has changed:
//
// 1. add() puts each use of a run into two pairs, one by data and one by line.
//    nameWithoutLine() names a heap object by its variable alone.
// 2. addBulk() marks data that a run copies or fills in bulk.
// 3. joinEdited() makes one pair of a line that is gone and one that is new, if
//    each is the only one of its function, data and kind.
// 4. Pair::isSame() compares references, patterns, bytes, sites and misses.
// 5. Pair::claims() puts differences into words: vectors, gathers, bytes,
//    copies in the code, and shares of a pattern that moved by 5 points.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Report/Table.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace graupel::stride {

/// Changes of a share that are worth a sentence, in percent points.
static constexpr double Points = 5;

static std::string nameWithoutLine(const NamedObject &O) {
  if (O.Kind != ObjectKind::Heap)
    return O.Name;
  size_t Space = O.Name.rfind(' ');
  std::string Last = O.Name.substr(Space + 1);
  return Last.find(':') == std::string::npos ? "heap " + Last : O.Name;
}

std::vector<std::string> Pair::claims() const {
  std::vector<std::string> Said;
  const Side &B = Before, &A = After;
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
    Said.push_back((B.Made.MostLanes > 1 ? "wider vectors: " : "vectorized: ") +
                   describe(A.Made));
  else if (A.Made.MostLanes < B.Made.MostLanes)
    Said.push_back(A.Made.MostLanes > 1
                       ? "narrower vectors: " + describe(A.Made)
                       : "no longer vectorized");
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

bool Pair::isSame() const {
  const Pattern &B = Before.P, &A = After.P;
  return B.References == A.References && B.Unit == A.Unit && B.Same == A.Same &&
         B.Constant == A.Constant && B.Irregular == A.Irregular &&
         B.Bytes == A.Bytes && Before.Made.Sites == After.Made.Sites &&
         std::equal(Before.Misses.Levels.begin(), Before.Misses.Levels.end(),
                    After.Misses.Levels.begin(),
                    [](const LevelCounts &X, const LevelCounts &Y) {
                      return X.Misses == Y.Misses;
                    });
}

void Comparison::add(Report &R, Side Pair::*Which) {
  auto Put = [&](Pair &To, const Use &U, const std::string &Name) {
    To.Name = Name;
    To.Store = U.Store;
    Side &S = To.*Which;
    S.P.add(U.P);
    if (const MissCounts *M = R.M->of(U))
      S.Misses.add(*M);
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

} // namespace graupel::stride
