//===- Statistics/PortraitCheck.cpp - Can the figures be? -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PortraitCheck.h"
#include "Report/FigureCheck.h"

using namespace llvm;
using namespace graupel;

namespace {

class Checker {
public:
  explicit Checker(const Portrait &P) : P(P) {}

  Error check(uint64_t FileBytes) {
    sizes(FileBytes);
    bins("trip counts", P.TripCounts);
    Check.isPercentage("entry block hottest", P.EntryHottestPercent);
    Check.isAmount("the highest trip count", P.HighestTripCount);
    complexity("procedures that hardly loop", P.HardlyLooping);
    complexity("all procedures", P.AllProcedures);
    Check.isAtMost("prologue and epilogue", P.Frames.total(),
                   "executed instructions", P.Executed);
    transfers("of the input", P.Transfers, P.Executed);
    if (P.Layout)
      layout(*P.Layout, FileBytes);
    return Check.error(P.Program);
  }

private:
  const Portrait &P;
  FigureCheck Check;

  void part(const std::string &Name, uint64_t Value,
            const std::string &WholeName, uint64_t Whole) {
    Check.isAtMost(Name, Value, WholeName, Whole);
  }

  void sizes(uint64_t FileBytes) {
    part("the image's code", P.Image.Bytes, "the file's bytes", FileBytes);
    inside("executed functions", P.ExecutedFunctions, "the image", P.Image);
    inside("executed blocks", P.ExecutedBlocks, "executed functions",
           P.ExecutedFunctions);
  }

  void inside(const std::string &Name, const CodeSize &Part,
              const std::string &WholeName, const CodeSize &Whole) {
    part("number of " + Name, Part.Functions, WholeName, Whole.Functions);
    part("blocks of " + Name, Part.Blocks, WholeName, Whole.Blocks);
    part("instructions of " + Name, Part.Instructions, WholeName,
         Whole.Instructions);
    part("bytes of " + Name, Part.Bytes, WholeName, Whole.Bytes);
  }

  void bins(const std::string &Name, const std::vector<ShareBin> &Bins) {
    for (const ShareBin &Bin : Bins) {
      Check.isPercentage("share of " + Name, Bin.Percent);
      Check.isPercentage("cumulative share of " + Name, Bin.CumulativePercent);
    }
  }

  void complexity(const std::string &Name, const Complexity &C) {
    part("instructions of " + Name, C.Weight, "executed instructions",
         P.Executed);
    bins("blocks of " + Name, C.AllBlocks);
    bins("hot blocks of " + Name, C.HotBlocks);
  }

  void transfers(const std::string &Where, const TransferCounts &T,
                 uint64_t Executed) {
    // Not their sum: of sampled profiles a block's edges may be more than it.
    const std::string Whole = "executed instructions";
    part("taken branches " + Where, T.takenBranches(), Whole, Executed);
    part("branches not taken " + Where, T.ConditionalNotTaken, Whole, Executed);
    part("calls " + Where, T.Calls, Whole, Executed);
    part("returns " + Where, T.Returns, Whole, Executed);
  }

  void layout(const LayoutChange &L, uint64_t FileBytes) {
    memory("of the input", L.Before);
    part("executed bytes of the input", L.Before.ExecutedBytes,
         "the file's bytes", FileBytes);
    memory("of the output", L.After);
    transfers("of the output", L.After.Transfers, L.After.Instructions);
    part("executed bytes of the output", L.After.ExecutedBytes,
         "bytes of the rewritten functions and those that stay",
         L.HotBytes + L.ColdBytes + L.StayingBytes);
    for (const LoopFigures &Loop : L.Loops) {
      part("instructions of the loop in " + Loop.Procedure, Loop.Instructions,
           "executed instructions", P.Executed);
      place(Loop, Loop.Before);
      if (Loop.After)
        place(Loop, *Loop.After);
    }
  }

  void place(const LoopFigures &Loop, const LoopFigures::Place &At) {
    Check.isAtMost("cache lines of the loop in " + Loop.Procedure, At.Lines,
                   "its decode windows", At.Windows);
  }

  /// A line holds a byte or more, a page a line.
  void memory(const std::string &Where, const LayoutFigures &F) {
    part("cache lines " + Where, F.Lines, "executed bytes", F.ExecutedBytes);
    part("pages " + Where, F.Pages, "cache lines", F.Lines);
    part("cache lines entered " + Where, F.LinesEntered, "decode windows",
         F.WindowsEntered);
  }
};

} // namespace

Error graupel::checkFigures(const Portrait &P, uint64_t FileBytes) {
  return Checker(P).check(FileBytes);
}
