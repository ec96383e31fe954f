//===- HotCold/Report.cpp - Results for each procedure --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/FigureCheck.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace graupel;

namespace {

struct CategoryNames {
  StringRef Name, Sentence;
};
constexpr CategoryNames Names[NumHotColdCategories] = {
    {"optimized", "optimized"},
    {"infrequent", "executed too rarely"},
    {"no split", "not split: all blocks are frequent"},
    {"sp modified", "the stack pointer changes in its midst"},
    {"no advantage", "no advantage"},
    {"unsupported", "unsupported"},
    {"loop", "cold code in loops"},
    {"unproved", "not proved right"},
};

} // namespace

StringRef graupel::nameOf(HotColdCategory Category) {
  return Names[static_cast<size_t>(Category)].Name;
}

std::string graupel::keyOf(HotColdCategory Category) {
  std::string Key = nameOf(Category).str();
  replace(Key, ' ', '_');
  return Key;
}

StringRef graupel::describe(HotColdCategory Category) {
  return Names[static_cast<size_t>(Category)].Sentence;
}

CodePart &CodePart::operator+=(const CodePart &Other) {
  Executed += Other.Executed;
  Instructions += Other.Instructions;
  Bytes += Other.Bytes;
  Calls |= Other.Calls;
  return *this;
}

SizeSteps &SizeSteps::operator+=(const SizeSteps &Other) {
  Original += Other.Original;
  Frequent += Other.Frequent;
  Reachable += Other.Reachable;
  Optimized += Other.Optimized;
  return *this;
}

HotColdFigures::HotColdFigures(const HotColdReport &Report) {
  ShareBins Before(ShareBins::End::Closed, 1, LargestBin);
  ShareBins After(ShareBins::End::Closed, 1, LargestBin);
  for (const ProcedureRecord &P : Report.Procedures) {
    Share &S = Coverage[static_cast<size_t>(P.Category)];
    ++S.Procedures;
    S.Executed += P.Original.Executed;
    Executed += P.Original.Executed;
    ExecutedAfter += P.Hot.Executed + P.Cold.Executed + P.Stub.Executed;
    Gain += P.Gain;
    Saved += P.Saved;
    Hottest.push_back(&P);
    addSizes(P, Before, After);
  }
  SizesBefore = Before.bins();
  SizesAfter = After.bins();
  collectReasons(Report);
  auto growth = [](const ProcedureRecord *P) {
    return percentOf(P->bytesAfter(), P->Original.Bytes);
  };
  stable_sort(Grown, [&](const ProcedureRecord *A, const ProcedureRecord *B) {
    return growth(A) > growth(B);
  });
  stable_sort(Hottest, [](const ProcedureRecord *A, const ProcedureRecord *B) {
    return A->Original.Executed > B->Original.Executed;
  });
}

/// Figures 17 to 20. The hot part of an optimized procedure is one procedure,
/// the rest, which it enters through stubs, is another.
void HotColdFigures::addSizes(const ProcedureRecord &P, ShareBins &Before,
                              ShareBins &After) {
  CodePart Rest = P.Cold;
  Rest += P.Stub;
  if (!P.Original.Calls)
    LeafBefore += P.Original.Executed;
  for (const CodePart *Part : {&std::as_const(P.Hot), &std::as_const(Rest)}) {
    if (!Part->Calls)
      LeafAfter += Part->Executed;
    if (Part->Instructions)
      After.add(Part->Instructions, std::llround(Part->Executed));
  }
  Before.add(P.Original.Instructions, std::llround(P.Original.Executed));
  // Procedures that are not in the output have no size there.
  if (!P.isChanged() || !P.bytesAfter())
    return;
  Original += P.Original;
  Hot += P.Hot;
  Cold += P.Cold;
  Stub += P.Stub;
  Steps += P.Steps;
  Grown.push_back(&P);
}

void HotColdFigures::collectReasons(const HotColdReport &Report) {
  std::map<std::pair<HotColdCategory, std::string>, Share> Shares;
  for (const ProcedureRecord &P : Report.Procedures)
    if (P.Category != HotColdCategory::Optimized && !P.Reason.empty()) {
      Share &S = Shares[{P.Category, P.Reason}];
      ++S.Procedures;
      S.Executed += P.Original.Executed;
    }
  for (const auto &[Key, S] : Shares)
    Reasons.push_back({S, Key.first, Key.second});
  stable_sort(Reasons, [](const ReasonShare &A, const ReasonShare &B) {
    return A.Executed > B.Executed;
  });
}

Error graupel::checkFigures(const HotColdReport &Report) {
  FigureCheck Check;
  double Bytes = 0;
  for (const ProcedureRecord &P : Report.Procedures) {
    for (const CodePart *Part : {&P.Original, &P.Hot, &P.Cold, &P.Stub})
      Check.isAmount("executed instructions of " + P.Name, Part->Executed);
    Check.isAtMost("what " + P.Name + " saves", std::max(P.Saved, 0.0),
                   "all that it executes",
                   P.Original.Executed + P.Hot.Executed);
    Bytes += P.Original.Bytes;
  }
  // Long branches are counted everywhere, which the input may not have.
  Check.isAtMost("the procedures' code", Bytes,
                 "the image's with long branches", 4.0 * Report.ImageBytes);
  return Check.error(Report.Program);
}
