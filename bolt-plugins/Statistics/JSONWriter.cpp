//===- Statistics/JSONWriter.cpp - Program statistics as JSON -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the program statistics as one JSON object. Names that are not UTF-8
// are repaired.
//
// 1. write() writes the program, the profile and the sizes. Without executed
//    instructions there is no more.
// 2. tripCounts(), complexity() and overhead() write the figures of procedures
//    and of instructions, with percentages of the executed instructions.
// 3. layout() writes the figures before and after, the growth, the splitting
//    and the hot loops, if the output was measured.
//
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace graupel;

namespace {

class JSONWriter {
public:
  JSONWriter(const Portrait &P, raw_ostream &OS) : P(P), J(OS, 2) {}

  void write() {
    J.object([&] {
      J.attribute("version", 1);
      J.attribute("program", text(P.Program));
      J.attribute("profile",
                  P.Profile.empty() ? json::Value(nullptr) : text(P.Profile));
      J.attributeObject("size", [&] { size(); });
      if (!P.Executed)
        return;
      J.attribute("executed_instructions", P.Executed);
      J.attribute("cold_share_percent", 100 * P.ColdShare);
      J.attribute("cold_threshold", P.ColdThreshold);
      J.attributeObject("trip_counts", [&] { tripCounts(); });
      J.attributeObject("blocks_of_hardly_looping_procedures",
                        [&] { complexity(P.HardlyLooping); });
      J.attributeObject("blocks_of_all_procedures",
                        [&] { complexity(P.AllProcedures); });
      J.attributeObject("call_overhead", [&] { overhead(); });
      if (P.Layout)
        J.attributeObject("layout", [&] { layout(*P.Layout); });
    });
  }

private:
  const Portrait &P;
  json::OStream J;

  /// File names may hold any bytes, JSON may not.
  static json::Value text(StringRef S) {
    return json::isUTF8(S) ? S.str() : json::fixUTF8(S);
  }

  void codeSize(StringRef Key, const CodeSize &S) {
    J.attributeObject(Key, [&] {
      J.attribute("functions", S.Functions);
      J.attribute("blocks", S.Blocks);
      J.attribute("instructions", S.Instructions);
      J.attribute("bytes", S.Bytes);
    });
  }

  void size() {
    codeSize("image", P.Image);
    J.attributeObject("not_decoded", [&] {
      J.attribute("functions", P.NotDecoded.Functions);
      J.attribute("bytes", P.NotDecoded.Bytes);
    });
    if (!P.Executed)
      return;
    codeSize("executed_functions", P.ExecutedFunctions);
    codeSize("executed_blocks", P.ExecutedBlocks);
    J.attribute("executed_functions_without_flow", P.ExecutedWithoutFlow);
  }

  void bins(StringRef Key, StringRef BoundName,
            const std::vector<ShareBin> &Bins) {
    J.attributeArray(Key, [&] {
      for (const ShareBin &Bin : Bins)
        J.object([&] {
          J.attribute(BoundName, Bin.Bound ? json::Value(Bin.Bound)
                                           : json::Value(nullptr));
          J.attribute("procedures", Bin.Items);
          J.attribute("instructions", Bin.Weight);
          J.attribute("percent", Bin.Percent);
          J.attribute("cumulative_percent", Bin.CumulativePercent);
        });
    });
  }

  void tripCounts() {
    bins("bins", "below", P.TripCounts);
    J.attribute("highest", P.HighestTripCount);
    J.attribute("entry_block_hottest_percent", P.EntryHottestPercent);
  }

  void complexity(const Complexity &C) {
    J.attribute("instructions", C.Weight);
    J.attribute("percent", P.executedPercent(C.Weight));
    bins("all_blocks", "at_most", C.AllBlocks);
    bins("hot_blocks", "at_most", C.HotBlocks);
  }

  void share(StringRef Key, uint64_t Count) {
    J.attributeObject(Key, [&] {
      J.attribute("executed", Count);
      J.attribute("percent", P.executedPercent(Count));
    });
  }

  void overhead() {
    share("prologue_epilogue", P.Frames.total());
    share("saves", P.Frames.Saves);
    share("restores", P.Frames.Restores);
    share("stack_adjustments", P.Frames.StackAdjustments);
    share("frame_pointer", P.Frames.FramePointer);
    share("shrink_wrapped", P.Frames.ShrinkWrapped);
    const TransferCounts &T = P.Transfers;
    share("calls", T.Calls);
    share("tail_calls", T.TailCalls);
    share("returns", T.Returns);
    share("conditional_branches", T.ConditionalTaken + T.ConditionalNotTaken);
    share("jumps", T.Jumps);
    share("indirect_jumps", T.IndirectJumps);
  }

  void figures(StringRef Key, const LayoutFigures &F) {
    J.attributeObject(Key, [&] {
      const TransferCounts &T = F.Transfers;
      J.attribute("executed_instructions", F.Instructions);
      J.attribute("taken_branches", T.takenBranches());
      J.attribute("conditional_taken", T.ConditionalTaken);
      J.attribute("conditional_not_taken", T.ConditionalNotTaken);
      J.attribute("jumps", T.Jumps);
      J.attribute("indirect_jumps", T.IndirectJumps);
      J.attribute("tail_calls", T.TailCalls);
      J.attribute("fall_throughs", T.FallThroughs);
      J.attribute("calls", T.Calls);
      J.attribute("returns", T.Returns);
      J.attribute("executed_bytes", F.ExecutedBytes);
      J.attribute("lines", F.Lines);
      J.attribute("pages", F.Pages);
      J.attribute("windows_entered", F.WindowsEntered);
      J.attribute("lines_entered", F.LinesEntered);
    });
  }

  void layout(const LayoutChange &L) {
    figures("before", L.Before);
    figures("after", L.After);
    J.attributeObject("growth", [&] {
      J.attribute("bytes_before", L.BytesBefore);
      J.attribute("hot_bytes", L.HotBytes);
      J.attribute("cold_bytes", L.ColdBytes);
    });
    J.attributeObject("copies", [&] {
      J.attribute("jumps_to_copies", L.JumpsToCopies);
      J.attribute("staying_bytes", L.StayingBytes);
    });
    J.attributeObject("splitting", [&] {
      J.attribute("split", L.SplitFunctions);
      J.attributeArray("not_split", [&] {
        for (const SplitReason &R : L.NotSplit)
          J.object([&] {
            J.attribute("reason", R.Reason);
            J.attribute("functions", R.Functions);
          });
      });
    });
    J.attributeArray("loops", [&] {
      for (const LoopFigures &Loop : L.Loops)
        J.object([&] { loop(Loop); });
    });
  }

  void loop(const LoopFigures &L) {
    J.attribute("procedure", text(L.Procedure));
    J.attribute("offset", L.Offset);
    J.attribute("iterations", L.Iterations);
    J.attribute("percent", P.executedPercent(L.Instructions));
    J.attribute("windows_before", L.Before.Windows);
    J.attribute("lines_before", L.Before.Lines);
    J.attribute("windows_after",
                L.After ? json::Value(L.After->Windows) : json::Value(nullptr));
    J.attribute("lines_after",
                L.After ? json::Value(L.After->Lines) : json::Value(nullptr));
  }
};

} // namespace

void graupel::writeJSON(const Portrait &P, raw_ostream &OS) {
  JSONWriter(P, OS).write();
  OS << '\n';
}
