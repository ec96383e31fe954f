//===- CheckPlan.h - Which checks a function needs --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides what Instrumentation inserts; see CheckPlan.cpp for how.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_CHECKPLAN_H
#define GRAUPEL_FGDSM_CHECKPLAN_H

#include "Access.h"
#include "Handshakes.h"
#include "PollPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class LoopInfo;
class DominatorTree;
class ScalarEvolution;
class TargetLibraryInfo;
} // namespace llvm

namespace graupel::fgdsm {

/// Bytes [Start + Offset, Start + Offset + Size), or a strip's range, whose
/// length is the value Bytes. Handles, because checks by value replace the
/// values they check.
struct LiveRange {
  llvm::WeakTrackingVH Start;
  int64_t Offset = 0;
  uint64_t Size = 0;
  llvm::WeakTrackingVH Bytes;
  bool Store = false;
};

/// What the slow path at one place re-validates besides its own range.
using LiveSet = llvm::SmallVector<LiveRange, 4>;

/// How many ranges a slow path hands over at most, its own included.
inline constexpr unsigned LargestSet = 8;

enum class CheckKind {
  Table,    ///< Tags of [Pointer + Offset, + Size) before the access.
  Sentinel, ///< The loaded value after it.
  Lanes     ///< The tags of all lanes before it.
};

struct Check {
  CheckKind Kind;
  /// Where: before this instruction, or after it if by value.
  llvm::Instruction *At;
  /// The access; for a check before a loop, one of those that it is for.
  unsigned AccessIndex;
  bool Hoisted;
  llvm::WeakTrackingVH Pointer;
  int64_t Offset;
  uint64_t Size;
  /// Of Pointer + Offset.
  llvm::Align Alignment;
  bool Store;
  LiveSet Live;
  /// For remarks: how many accesses the check is for, and why it stands there.
  unsigned Covers = 1;
  llvm::StringRef Why;
};

/// An access without a check of its own, for remarks.
struct Elision {
  unsigned AccessIndex;
  /// A strip's range covers it; if not, another check.
  bool ByStrip;
};

/// A call of the poll marker, or the instruction to poll before.
struct Poll {
  llvm::Instruction *At;
  LiveSet Live;
};

/// A strip's range: the marker's call.
struct Range {
  llvm::CallBase *Marker;
  LiveSet Live;
};

/// One step of the instrumentation, in program order.
struct PlanStep {
  enum { CheckStep, PollStep, RangeStep } Kind;
  unsigned Index;
};

struct CheckPlan {
  llvm::SmallVector<Access, 0> Accesses;
  std::vector<Check> Checks;
  std::vector<Poll> Polls;
  std::vector<Range> Ranges;
  std::vector<PlanStep> Steps;
  std::vector<Elision> Elisions;

  void print(llvm::raw_ostream &OS) const;
};

/// What planChecks knows of a function and its module.
struct PlanInput {
  llvm::Function &F;
  const PointerPrivacy &Privacy;
  const Handshakes &Shakes;
  const PollPlan &Polls;
  const llvm::TargetLibraryInfo &Library;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
};

CheckPlan planChecks(const PlanInput &In);

} // namespace graupel::fgdsm

#endif
