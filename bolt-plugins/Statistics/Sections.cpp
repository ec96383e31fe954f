//===- Statistics/Sections.cpp - Program statistics as tables -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes titled tables of the program statistics.
//
// 1. overheadRows(), transferRows() and memoryRows() name counts; the page uses
//    them, too.
// 2. size() to splitting() make one section each: its title, its sentences with
//    the main figures, its columns and its rows.
// 3. sectionsOf() lists them in a fixed order. Without executed instructions
//    there is only the size, and without a measured output nothing about the
//    layout.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel;

std::vector<NamedCount> graupel::overheadRows(const Portrait &P) {
  const FrameCounts &F = P.Frames;
  const TransferCounts &T = P.Transfers;
  return {{"register saves", F.Saves},
          {"register restores", F.Restores},
          {"stack adjustment", F.StackAdjustments},
          {"frame pointer", F.FramePointer},
          {"shrink-wrapped", F.ShrinkWrapped},
          {"prologue and epilogue", F.total()},
          {"calls", T.Calls},
          {"tail calls", T.TailCalls},
          {"returns", T.Returns},
          {"conditional branches", T.ConditionalTaken + T.ConditionalNotTaken},
          {"jumps", T.Jumps},
          {"indirect jumps", T.IndirectJumps}};
}

std::vector<NamedCount> graupel::transferRows(const TransferCounts &T) {
  return {{"taken branches", T.takenBranches()},
          {"  conditional, taken", T.ConditionalTaken},
          {"  jumps", T.Jumps},
          {"  indirect jumps", T.IndirectJumps},
          {"  tail calls", T.TailCalls},
          {"conditional, not taken", T.ConditionalNotTaken},
          {"fall-throughs", T.FallThroughs},
          {"calls", T.Calls},
          {"returns", T.Returns}};
}

std::vector<NamedCount> graupel::memoryRows(const LayoutFigures &F) {
  return {{"executed bytes", F.ExecutedBytes},
          {"64-byte lines", F.Lines},
          {"4 KB pages", F.Pages},
          {"decode windows entered", F.WindowsEntered},
          {"lines entered", F.LinesEntered}};
}

namespace {

std::vector<std::string> sizeRow(StringRef Name, const CodeSize &S) {
  return {Name.str(), grouped(S.Functions), grouped(S.Blocks),
          grouped(S.Instructions), grouped(S.Bytes)};
}

Section size(const Portrait &P) {
  Section S = {{"Size",
                {},
                {"", "functions", "blocks", "instructions", "bytes"},
                {sizeRow("whole image", P.Image)}},
               Section::Topic::Size};
  if (P.Executed) {
    S.Rows.push_back(sizeRow("executed functions", P.ExecutedFunctions));
    S.Rows.push_back(sizeRow("executed blocks", P.ExecutedBlocks));
    S.Sentences.push_back(formatv(
        "{0} of the image's bytes were executed: {1} in {2} functions. They "
        "executed {3} instructions.",
        percentText(percent(P.ExecutedBlocks.Bytes, P.Image.Bytes)),
        grouped(P.ExecutedBlocks.Bytes), grouped(P.ExecutedFunctions.Functions),
        grouped(P.Executed)));
  } else {
    S.Sentences.push_back(
        P.Profile.empty()
            ? "There is no profile, so only sizes are known. Record one and "
              "give it with -data."
            : "Nothing was executed by the profile, so only sizes are known.");
  }
  if (P.NotDecoded.Functions) {
    S.Rows.push_back({"size only known", grouped(P.NotDecoded.Functions), "",
                      "", grouped(P.NotDecoded.Bytes)});
    S.Sentences.push_back("Functions that llvm-bolt did not disassemble are "
                          "counted without blocks and instructions.");
  }
  if (P.ExecutedWithoutFlow)
    S.Sentences.push_back(
        formatv("{0} executed functions are in no other figure: llvm-bolt does "
                "not understand their flow, or the profile does not match it.",
                grouped(P.ExecutedWithoutFlow)));
  return S;
}

double below(const std::vector<ShareBin> &Bins, uint64_t Bound) {
  double Cumulative = 0;
  for (const ShareBin &Bin : Bins)
    if (Bin.Bound && Bin.Bound <= Bound)
      Cumulative = Bin.CumulativePercent;
  return Cumulative;
}

Section tripCounts(const Portrait &P) {
  Section S = {{"Trip count of the most executed loop",
                {formatv("{0} of the executed instructions are in procedures "
                         "whose most executed loop runs less than 2 times for "
                         "each time it is entered, {1} below 4. The highest "
                         "trip count is {2}.",
                         percentText(below(P.TripCounts, 2)),
                         percentText(below(P.TripCounts, 4)),
                         P.HighestTripCount < 1000
                             ? formatv("{0:F1}", P.HighestTripCount).str()
                             : grouped(std::llround(P.HighestTripCount))),
                 formatv("{0} are in procedures of which no block is executed "
                         "more often than the entry.",
                         percentText(P.EntryHottestPercent))},
                {"trip count", "procedures", "instructions", "cumulative"},
                {}},
               Section::Topic::TripCounts};
  for (const ShareBin &Bin : P.TripCounts)
    S.Rows.push_back({openLabel(Bin), grouped(Bin.Items),
                      percentText(Bin.Percent),
                      percentText(Bin.CumulativePercent)});
  return S;
}

Section complexity(const Complexity &C, Section::Topic About, StringRef Title,
                   const Portrait &P) {
  Section S = {{Title.str(),
                {},
                {"blocks", "procedures", "cumulative", "hot: procedures",
                 "hot: cumulative"},
                {}},
               About};
  S.Sentences.push_back(
      formatv("{0} of the executed instructions are in these procedures. Of "
              "that, {1} are in procedures of more than 16 blocks, {2} if only "
              "blocks executed more than {3} times count.",
              percentText(P.executedPercent(C.Weight)),
              percentText(C.Weight ? 100 - below(C.AllBlocks, 16) : 0),
              percentText(C.Weight ? 100 - below(C.HotBlocks, 16) : 0),
              grouped(P.ColdThreshold)));
  for (size_t I = 0; I < C.AllBlocks.size(); ++I) {
    const ShareBin &All = C.AllBlocks[I];
    // Hot blocks are never more, so their bins end earlier.
    const bool Ended = I >= C.HotBlocks.size();
    S.Rows.push_back(
        {closedLabel(All, 1024), grouped(All.Items),
         percentText(All.CumulativePercent),
         Ended ? "0" : grouped(C.HotBlocks[I].Items),
         percentText(Ended ? 100 : C.HotBlocks[I].CumulativePercent)});
  }
  return S;
}

Section overhead(const Portrait &P) {
  Section S = {{"Call overhead",
                {formatv("{0} of the executed instructions are prologue and "
                         "epilogue.",
                         percentText(P.executedPercent(P.Frames.total())))},
                {"", "executed", "of all instructions"},
                {}},
               Section::Topic::Overhead};
  for (const NamedCount &Row : overheadRows(P))
    S.Rows.push_back({Row.Name, grouped(Row.Count),
                      percentText(P.executedPercent(Row.Count))});
  return S;
}

void addComparison(Section &S, const std::vector<NamedCount> &Before,
                   const std::vector<NamedCount> &After) {
  S.Columns = {"", "before", "after", "change"};
  for (const auto &[B, A] : zip_equal(Before, After))
    S.Rows.push_back({B.Name, grouped(B.Count), grouped(A.Count),
                      changeText(B.Count, A.Count)});
}

Section transfers(const LayoutChange &L) {
  Section S = {{"Executed branches, before and after", {}, {}, {}},
               Section::Topic::Transfers};
  S.Sentences.push_back(formatv("Taken branches: {0}.",
                                changeText(L.Before.Transfers.takenBranches(),
                                           L.After.Transfers.takenBranches())));
  if (L.JumpsToCopies)
    S.Sentences.push_back(
        formatv("{0} of the jumps afterwards lead from originals to copies.",
                grouped(L.JumpsToCopies)));
  addComparison(S, transferRows(L.Before.Transfers),
                transferRows(L.After.Transfers));
  S.Rows.push_back({"all instructions", grouped(L.Before.Instructions),
                    grouped(L.After.Instructions),
                    changeText(L.Before.Instructions, L.After.Instructions)});
  return S;
}

Section memory(const LayoutChange &L) {
  Section S = {
      {"Memory that executed code touches, before and after", {}, {}, {}},
      Section::Topic::Memory};
  S.Sentences.push_back(formatv("Cache lines: {0}; pages: {1}.",
                                changeText(L.Before.Lines, L.After.Lines),
                                changeText(L.Before.Pages, L.After.Pages)));
  addComparison(S, memoryRows(L.Before), memoryRows(L.After));
  return S;
}

/// Text for a loop's average, which mostly is a whole number.
std::string average(double Value) { return formatv("{0:F2}", Value); }

Section loops(const Portrait &P, const LayoutChange &L) {
  constexpr size_t MostShown = 20;
  Section S = {{"Hot loops, before and after",
                {},
                {"procedure", "offset", "share", "iterations", "windows before",
                 "after", "lines before", "after"},
                {}},
               Section::Topic::Loops};
  uint64_t Worse = 0, Better = 0;
  for (const LoopFigures &Loop : L.Loops) {
    if (Loop.After && Loop.After->Windows > Loop.Before.Windows)
      ++Worse;
    if (Loop.After && Loop.After->Windows < Loop.Before.Windows)
      ++Better;
    if (S.Rows.size() == MostShown)
      continue;
    S.Rows.push_back({Loop.Procedure, formatv("{0:x}", Loop.Offset).str(),
                      percentText(P.executedPercent(Loop.Instructions)),
                      grouped(Loop.Iterations), average(Loop.Before.Windows),
                      Loop.After ? average(Loop.After->Windows) : "",
                      average(Loop.Before.Lines),
                      Loop.After ? average(Loop.After->Lines) : ""});
  }
  S.Sentences.push_back(
      formatv("Decode windows (32 bytes) and cache lines that an iteration "
              "enters. Of {0} innermost loops with 0.1 % of the instructions "
              "or more, {1} enter fewer windows than before, {2} more.",
              grouped(L.Loops.size()), grouped(Better), grouped(Worse)));
  return S;
}

Section splitting(const LayoutChange &L) {
  Section S = {{"Splitting and code growth",
                {},
                {"functions", "number"},
                {{"split", grouped(L.SplitFunctions)}}},
               Section::Topic::Splitting};
  for (const SplitReason &R : L.NotSplit)
    S.Rows.push_back({"not split: " + R.Reason, grouped(R.Functions)});
  const uint64_t After = L.HotBytes + L.ColdBytes;
  S.Sentences.push_back(formatv(
      "The rewritten functions with a profile had {0} bytes and have "
      "{1} ({2}): {3} hot and {4} cold.",
      grouped(L.BytesBefore), grouped(After), changeText(L.BytesBefore, After),
      grouped(L.HotBytes), grouped(L.ColdBytes)));
  return S;
}

} // namespace

std::vector<Section> graupel::sectionsOf(const Portrait &P) {
  std::vector<Section> Sections = {size(P)};
  if (!P.Executed)
    return Sections;
  Sections.push_back(tripCounts(P));
  Sections.push_back(
      complexity(P.HardlyLooping, Section::Topic::HardlyLooping,
                 "Blocks of procedures with a trip count below 4", P));
  Sections.push_back(complexity(P.AllProcedures, Section::Topic::AllProcedures,
                                "Blocks of all procedures", P));
  Sections.push_back(overhead(P));
  if (P.Layout) {
    Sections.push_back(transfers(*P.Layout));
    Sections.push_back(memory(*P.Layout));
    if (!P.Layout->Loops.empty())
      Sections.push_back(loops(P, *P.Layout));
    Sections.push_back(splitting(*P.Layout));
  }
  return Sections;
}
