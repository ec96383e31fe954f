//===- HotCold/ReportTables.cpp - The report as tables --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the report of hot-cold optimization as tables for people.
//
// 1. shortened() and sizeRows() are shared with the page.
// 2. coverage() to procedures() make one table each: its title, its sentences
//    and its rows, from HotColdFigures.
// 3. tablesOf() lists them in a fixed order and leaves out those that would be
//    empty.
// 4. writeText() writes a headline and then all tables, aligned.
//
//===----------------------------------------------------------------------===//

#include "ReportTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel;
using Topic = HotColdTable::Topic;

std::string graupel::shortened(StringRef Name, size_t Length) {
  if (Name.size() <= Length)
    return Name.str();
  const size_t Kept = Length - 3;
  return (Name.take_front(Kept - Kept / 2) + "..." + Name.take_back(Kept / 2))
      .str();
}

std::vector<SizeRow> graupel::sizeRows(const HotColdFigures &F) {
  const uint64_t Short = F.Steps.Original, Long = F.Original.Bytes;
  return {{"frequent blocks", F.Steps.Frequent, Short},
          {"reachable of these", F.Steps.Reachable, Short},
          {"optimized", F.Steps.Optimized, Short},
          {"hot", F.Hot.Bytes, Long},
          {"cold", F.Cold.Bytes, Long},
          {"stub", F.Stub.Bytes, Long},
          {"total", F.Hot.Bytes + F.Cold.Bytes + F.Stub.Bytes, Long}};
}

namespace {

/// Small savings matter here: "0.04 %".
std::string fine(double Percent) { return formatv("{0:F2} %", Percent).str(); }

std::string rounded(double Executed) {
  return grouped(std::llround(std::max(Executed, 0.0)));
}

HotColdTable coverage(const HotColdReport &R, const HotColdFigures &F) {
  HotColdTable T = {{"Coverage by category",
                     {},
                     {"", "procedures", "executed", "of all instructions"},
                     {}},
                    Topic::Coverage};
  T.Sentences.push_back(formatv(
      "{0} of the executed instructions are in optimized procedures.",
      percentText(percentOf(F.coverage(HotColdCategory::Optimized).Executed,
                            F.Executed))));
  if (R.WithoutFlow)
    T.Sentences.push_back(
        formatv("{0} executed functions are in no figure: llvm-bolt does not "
                "understand their flow, or the profile does not match it.",
                grouped(R.WithoutFlow)));
  for (size_t C = 0; C < NumHotColdCategories; ++C) {
    const HotColdFigures::Share &S = F.Coverage[C];
    T.Rows.push_back({nameOf(static_cast<HotColdCategory>(C)).str(),
                      grouped(S.Procedures), rounded(S.Executed),
                      percentText(percentOf(S.Executed, F.Executed))});
  }
  return T;
}

HotColdTable reasons(const HotColdFigures &F) {
  HotColdTable T = {{"Why procedures were not optimized",
                     {},
                     {"", "procedures", "executed", "of all instructions"},
                     {}},
                    Topic::Reasons};
  for (const HotColdFigures::ReasonShare &S : F.Reasons)
    T.Rows.push_back({(nameOf(S.Category) + ": " + S.Reason).str(),
                      grouped(S.Procedures), rounded(S.Executed),
                      percentText(percentOf(S.Executed, F.Executed))});
  return T;
}

HotColdTable pathLength(const HotColdFigures &F) {
  HotColdTable T = {{"Reduction in path length",
                     {},
                     {"", "executed", "of all instructions"},
                     {}},
                    Topic::PathLength};
  T.Sentences.push_back(formatv(
      "{0} of the executed instructions were taken off the frequent paths. "
      "With what stubs execute, {1} instructions become {2}.",
      fine(percentOf(F.Gain.total(), F.Executed)), rounded(F.Executed),
      rounded(F.ExecutedAfter)));
  for (const GainKind &Kind : gainKinds())
    T.Rows.push_back({Kind.Name, rounded(F.Gain.*Kind.Count),
                      fine(percentOf(F.Gain.*Kind.Count, F.Executed))});
  T.Rows.push_back({"total", rounded(F.Gain.total()),
                    fine(percentOf(F.Gain.total(), F.Executed))});
  T.Rows.push_back({"total without cost of stubs", rounded(F.Saved),
                    fine(percentOf(F.Saved, F.Executed))});
  return T;
}

HotColdTable leaves(const HotColdFigures &F) {
  return {{"Time in leaf procedures, before and after",
           {"A leaf calls no other procedure. The hot part of an optimized "
            "procedure counts as one procedure, cold part and stubs as "
            "another."},
           {"", "executed", "of all instructions"},
           {{"before", rounded(F.LeafBefore),
             percentText(percentOf(F.LeafBefore, F.Executed))},
            {"after", rounded(F.LeafAfter),
             percentText(percentOf(F.LeafAfter, F.ExecutedAfter))}}},
          Topic::Leaves};
}

HotColdTable growth(const HotColdReport &R, const HotColdFigures &F) {
  auto row = [&](const char *Name, uint64_t Bytes) {
    return std::vector<std::string>{Name, grouped(Bytes),
                                    fine(percentOf(Bytes, R.ImageBytes))};
  };
  const double Grown =
      double(F.Hot.Bytes) + F.Cold.Bytes - double(F.Original.Bytes);
  return {{"Code growth",
           {formatv("The image's code grows by {0}: {1} hot and cold, {2} "
                    "stubs.",
                    fine(percentOf(Grown + F.Stub.Bytes, R.ImageBytes)),
                    fine(percentOf(Grown, R.ImageBytes)),
                    fine(percentOf(F.Stub.Bytes, R.ImageBytes)))},
           {"", "bytes", "of the image's code"},
           {row("image", R.ImageBytes),
            row("optimized, before", F.Original.Bytes), row("hot", F.Hot.Bytes),
            row("cold", F.Cold.Bytes), row("stub", F.Stub.Bytes)}},
          Topic::Growth};
}

HotColdTable steps(const HotColdFigures &F) {
  HotColdTable T = {{"Size of optimized procedures",
                     {"What remains of the original for the hot procedure in "
                      "each step, with short branches; then the sizes in the "
                      "output, where branches between hot and cold code are "
                      "long."},
                     {"", "bytes", "of the original"},
                     {}},
                    Topic::Steps};
  for (const SizeRow &Row : sizeRows(F))
    T.Rows.push_back({Row.Name, grouped(Row.Bytes),
                      percentText(percentOf(Row.Bytes, Row.Original))});
  return T;
}

HotColdTable grown(const HotColdFigures &F) {
  HotColdTable T = {{"Optimized procedures that grew most",
                     {},
                     {"", "bytes", "hot", "cold", "stub", "total"},
                     {}},
                    Topic::Grown};
  for (const ProcedureRecord *P :
       ArrayRef(F.Grown).take_front(NumListedGrown)) {
    auto relative = [&](uint64_t Bytes) {
      return formatv("{0:F0} %", percentOf(Bytes, P->Original.Bytes)).str();
    };
    T.Rows.push_back({shortened(P->Name, 48), grouped(P->Original.Bytes),
                      relative(P->Hot.Bytes), relative(P->Cold.Bytes),
                      relative(P->Stub.Bytes), relative(P->bytesAfter())});
  }
  return T;
}

HotColdTable distribution(const HotColdFigures &F) {
  HotColdTable T = {
      {"Time by procedure size, before and after",
       {},
       {"instructions", "before: procedures", "before: cumulative",
        "after: procedures", "after: cumulative"},
       {}},
      Topic::Distribution};
  for (size_t I = 0; I < std::max(F.SizesBefore.size(), F.SizesAfter.size());
       ++I) {
    std::vector<std::string> Row;
    for (const std::vector<ShareBin> *Bins : {&F.SizesBefore, &F.SizesAfter}) {
      const bool Ended = I >= Bins->size();
      if (Row.empty())
        Row.push_back(closedLabel((Ended ? F.SizesAfter : *Bins)[I],
                                  HotColdFigures::LargestBin));
      Row.push_back(Ended ? "0" : grouped((*Bins)[I].Items));
      Row.push_back(percentText(Ended ? 100 : (*Bins)[I].CumulativePercent));
    }
    T.Rows.push_back(std::move(Row));
  }
  return T;
}

HotColdTable procedures(const HotColdFigures &F) {
  HotColdTable T = {{"Procedures with most time",
                     {},
                     {"", "of all instructions", "saved", "what was done"},
                     {},
                     /*LastIsText=*/true},
                    Topic::Procedures};
  for (const ProcedureRecord *P :
       ArrayRef(F.Hottest).take_front(NumListedHottest)) {
    std::string Done = nameOf(P->Category).str();
    if (P->Category == HotColdCategory::Optimized)
      Done = formatv("{0} of {1} instructions hot, {2} stub{3}{4}",
                     P->Hot.Instructions, P->Original.Instructions, P->Stubs,
                     P->Stubs == 1 ? "" : "s",
                     P->Original.Calls && !P->Hot.Calls ? ", leaf" : "");
    else if (!P->Reason.empty())
      Done += ": " + P->Reason;
    T.Rows.push_back(
        {shortened(P->Name, 48),
         percentText(percentOf(P->Original.Executed, F.Executed)),
         P->isChanged() ? percentText(percentOf(P->Saved, P->Original.Executed))
                        : "",
         Done});
  }
  return T;
}

} // namespace

std::vector<HotColdTable> graupel::tablesOf(const HotColdReport &R,
                                            const HotColdFigures &F) {
  std::vector<HotColdTable> Tables = {coverage(R, F)};
  if (!F.Reasons.empty())
    Tables.push_back(reasons(F));
  Tables.push_back(pathLength(F));
  Tables.push_back(leaves(F));
  if (!F.Grown.empty()) {
    Tables.push_back(growth(R, F));
    Tables.push_back(steps(F));
    Tables.push_back(grown(F));
  }
  if (!F.SizesBefore.empty())
    Tables.push_back(distribution(F));
  if (!F.Hottest.empty())
    Tables.push_back(procedures(F));
  return Tables;
}

void graupel::writeText(const HotColdReport &R, raw_ostream &OS) {
  const HotColdFigures F(R);
  OS << "Hot-cold optimization of " << R.Program;
  if (!R.Profile.empty())
    OS << " by " << R.Profile;
  OS << '\n';
  for (const HotColdTable &T : tablesOf(R, F)) {
    OS << '\n';
    writeTable(T, OS);
  }
}
