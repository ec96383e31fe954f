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

/// Bytes [Start + Offset, Start + Offset + Size), or of a strip's range, whose
/// length is the value Bytes. Handles, because checks by value replace the
/// values they check.
struct LiveRange {
  llvm::WeakTrackingVH Start;
  int64_t Offset = 0;
  uint64_t Size = 0;
  llvm::WeakTrackingVH Bytes;
  bool Store = false;
};

/// The ranges that the slow path at one place re-validates besides its own.
using LiveSet = llvm::SmallVector<LiveRange, 4>;

/// The maximum number of ranges that a slow path re-validates besides its own,
/// which are as many again.
inline constexpr unsigned LargestSet = 8;

enum class CheckKind {
  Table,    ///< Tags of [Pointer + Offset, + Size) before the access.
  Sentinel, ///< The loaded value after it.
  Lanes     ///< The tags of all lanes before it.
};

/// The subject of one test: bytes at a pointer, or the range of a strip.
struct Tested {
  LiveRange Memory;
  /// The alignment of Memory's beginning.
  llvm::Align Alignment;
  /// The call of the marker, if it is a strip.
  llvm::CallBase *Marker = nullptr;
};

/// Tests that stand together and have one slow path.
struct Check {
  CheckKind Kind;
  /// Where: before this instruction, or after it if by value. Addresses may be
  /// computed behind it; their instructions can be moved.
  llvm::Instruction *At;
  /// Gathers and scatters have one, of a lane.
  llvm::SmallVector<Tested, 1> Tests;
  LiveSet Live;
};

/// Why a test is there, for remarks.
struct Reason {
  unsigned AccessIndex;
  uint64_t Size;
  /// Accesses that it is for.
  unsigned Covers;
  bool ByValue;
  bool Hoisted;
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
  bool Waits; ///< PollPlan::Waits.
};

/// One step of the instrumentation, in program order.
struct PlanStep {
  enum { CheckStep, PollStep } Kind;
  unsigned Index;
};

struct CheckPlan {
  llvm::SmallVector<Access, 0> Accesses;
  std::vector<Check> Checks;
  std::vector<Poll> Polls;
  std::vector<PlanStep> Steps;
  std::vector<Reason> Reasons;
  std::vector<Elision> Elisions;

  void print(llvm::raw_ostream &OS) const;
};

/// The input of planChecks: a function and analyses of it and its module.
struct PlanInput {
  llvm::Function &F;
  const PointerPrivacy &Privacy;
  const Handshakes &HandshakePoints;
  const PollPlan &Polls;
  const llvm::TargetLibraryInfo &Library;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
};

CheckPlan planChecks(const PlanInput &In);

} // namespace graupel::fgdsm

#endif
