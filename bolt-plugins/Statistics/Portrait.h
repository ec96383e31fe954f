//===- Statistics/Portrait.h - Statistics of a program ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures by which Cohn, Goodwin and Lowney (1997) characterize programs:
// size, trip counts, complexity of procedures, call overhead; and what the
// optimizer changed. Plain data: the adapter fills it, the writers show it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_PORTRAIT_H
#define GRAUPEL_STATISTICS_PORTRAIT_H

#include "ProcedureFlow.h"
#include "Report/ShareBins.h"
#include <optional>
#include <string>

namespace graupel {

struct CodeSize {
  uint64_t Functions = 0;
  uint64_t Blocks = 0;
  uint64_t Instructions = 0;
  uint64_t Bytes = 0;
};

/// Executions of instructions that may change where control goes.
struct TransferCounts {
  uint64_t ConditionalTaken = 0;
  uint64_t ConditionalNotTaken = 0;
  uint64_t Jumps = 0;         ///< Unconditional, to a known place.
  uint64_t IndirectJumps = 0; ///< Through jump tables and registers.
  uint64_t TailCalls = 0;     ///< Jumps to other functions.
  /// Ends of blocks after which the next instruction in memory was executed.
  uint64_t FallThroughs = 0;
  uint64_t Calls = 0;
  uint64_t Returns = 0;

  uint64_t takenBranches() const {
    return ConditionalTaken + Jumps + IndirectJumps + TailCalls;
  }
  TransferCounts &operator+=(const TransferCounts &Other);
};

/// Executions of the instructions that calls cost without being part of the
/// work. docs/statistics.md says what exactly counts.
struct FrameCounts {
  uint64_t Saves = 0;
  uint64_t Restores = 0;
  uint64_t StackAdjustments = 0;
  uint64_t FramePointer = 0;
  /// The same in blocks that neither enter nor leave the procedure.
  uint64_t ShrinkWrapped = 0;

  uint64_t total() const {
    return Saves + Restores + StackAdjustments + FramePointer + ShrinkWrapped;
  }
  FrameCounts &operator+=(const FrameCounts &Other);
};

/// Figures 4 and 5 for one set of procedures.
struct Complexity {
  uint64_t Weight = 0;
  std::vector<ShareBin> AllBlocks; ///< By the number of blocks.
  std::vector<ShareBin> HotBlocks; ///< By the number above the threshold.
};

/// The costs of the layout, once for the input and once for the output.
struct LayoutFigures {
  uint64_t Instructions = 0; ///< Executed.
  TransferCounts Transfers;
  uint64_t ExecutedBytes = 0; ///< In blocks that ran.
  uint64_t Lines = 0;         ///< Cache lines these touch.
  uint64_t Pages = 0;
  /// The number of times execution entered another decode window, or another
  /// line (Align/FetchCost.h).
  uint64_t WindowsEntered = 0;
  uint64_t LinesEntered = 0;
};

/// An innermost loop, before and after. Windows and lines are entered by one
/// iteration, on the average.
struct LoopFigures {
  struct Place {
    double Windows = 0;
    double Lines = 0;
  };
  std::string Procedure;
  uint64_t Offset = 0; ///< Offset of its head in the input's procedure.
  uint64_t Iterations = 0;
  uint64_t Instructions = 0; ///< Executed, in the input.
  Place Before;
  /// None if no loop has that head any more.
  std::optional<Place> After;
};

struct SplitReason {
  std::string Reason;
  uint64_t Functions;
};

struct LayoutChange {
  LayoutFigures Before, After;
  /// The bytes of the functions that were rewritten.
  uint64_t BytesBefore = 0, HotBytes = 0, ColdBytes = 0;
  uint64_t StayingBytes = 0;  ///< In functions whose copies bring nothing.
  uint64_t JumpsToCopies = 0; ///< Executed in the originals.
  uint64_t SplitFunctions = 0;
  std::vector<SplitReason> NotSplit;
  /// Innermost loops with LoopShare of the executed instructions or more, the
  /// most executed first.
  std::vector<LoopFigures> Loops;
  static constexpr double LoopShare = 0.001;
};

struct Portrait {
  static constexpr uint64_t LineSize = 64;
  static constexpr uint64_t PageSize = 4096;
  /// Procedures whose trip count is below this hardly loop.
  static constexpr double FewTrips = 4;

  std::string Program;
  std::string Profile; ///< Empty if there is none.

  /// Figure 1.
  CodeSize Image, ExecutedFunctions, ExecutedBlocks;
  /// Functions of which only the size is known.
  CodeSize NotDecoded;
  /// Executed functions of which the profile is known in part at best.
  uint64_t ExecutedWithoutFlow = 0;

  /// Executed instructions. Zero if there is no profile; then only sizes are
  /// known.
  uint64_t Executed = 0;
  double ColdShare = 0; ///< 0 to 1.
  uint64_t ColdThreshold = 0;

  /// Figures 2 and 3.
  std::vector<ShareBin> TripCounts;
  double HighestTripCount = 1;
  double EntryHottestPercent = 0;

  /// Figures 4 and 5.
  Complexity HardlyLooping, AllProcedures;

  /// Figure 6.
  FrameCounts Frames;
  TransferCounts Transfers;

  std::optional<LayoutChange> Layout;

  double executedPercent(uint64_t Count) const {
    return percent(Count, Executed);
  }
};

/// Figures 2 to 5 of all procedures that are added.
class PortraitBuilder {
public:
  /// Procedures that were not executed weigh nothing and are not remembered.
  void add(const ProcedureFlow &Flow);

  /// Fills in everything that depends on procedures' flow. Blocks of the share
  /// \p ColdShare that are executed least are not hot.
  void finish(Portrait &P, double ColdShare) const;

private:
  struct Procedure {
    uint64_t Weight;
    double TripCount;
    bool EntryHottest;
    uint64_t Blocks;
    std::vector<std::pair<uint64_t, uint64_t>> Executed; ///< Count, size.
  };
  std::vector<Procedure> Procedures;

  Complexity complexity(double TripsBelow, uint64_t ColdThreshold) const;
};

} // namespace graupel

#endif // GRAUPEL_STATISTICS_PORTRAIT_H
