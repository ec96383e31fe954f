//===- Plan.h - The plan for recording a function ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which loops are summarized, and which references are their members.
// Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_PLAN_H
#define GRAUPEL_STRIDE_PLAN_H

#include "Nest.h"
#include "Reference.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class PHINode;
class SCEV;
class ScalarEvolution;
class TargetLibraryInfo;
} // namespace llvm

namespace graupel::stride {

/// A reference that is made in each iteration at Base + i * Step.
struct Member {
  unsigned Reference; ///< In Plan::References.
  unsigned Order;     ///< Among all that an iteration records.
  const llvm::SCEV *Base, *Step;
};

struct LoopPlan {
  llvm::Loop *L = nullptr;
  /// The number of iterations minus one, if the loop is summarized.
  const llvm::SCEV *BackedgeTaken = nullptr;
  llvm::SmallVector<Member, 8> Members;
  unsigned Others = 0;
  /// A variable of a loop with others that advances by a constant each
  /// iteration.
  llvm::PHINode *Counter = nullptr;
  int64_t CounterStep = 0;
  /// Empty if the loop is summarized.
  llvm::StringRef WhyNot;
};

struct Plan {
  llvm::SmallVector<Reference, 0> References;
  /// Innermost loops with references that are in no nest, in the order of their
  /// headers.
  llvm::SmallVector<LoopPlan, 0> Loops;
  llvm::SmallVector<NestPlan, 0> Nests;
  /// References of no summary, which the buffer gets one by one.
  llvm::SmallVector<bool, 0> Single;
  /// Why there is no copy that records nothing, or "".
  llvm::StringRef WhyNotDuplicable;

  void print(llvm::raw_ostream &OS) const;
};

struct PlanInput {
  llvm::Function &F;
  const llvm::TargetLibraryInfo &Library;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
};

/// Without summaries, each reference is told by itself.
Plan planFunction(const PlanInput &In, bool Summaries);

/// Whether code that a call runs may have records of its own.
bool mayRecord(const llvm::Instruction &I,
               const llvm::TargetLibraryInfo &Library);

} // namespace graupel::stride

#endif
