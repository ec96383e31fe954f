//===- PollPlan.h - Where code looks for messages ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever runs without bound must poll (Schoinas 1998, 3.5.2): back edges, but
// not those of loops that are known to be short or that poll on every path
// anyhow, and the entries of functions that may be called recursively.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_POLLPLAN_H
#define GRAUPEL_FGDSM_POLLPLAN_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class LoopInfo;
class Module;
class ScalarEvolution;
class raw_ostream;
} // namespace llvm

namespace graupel::fgdsm {

/// Functions of which an activation may lead to another without a loop.
class Recursion {
public:
  explicit Recursion(llvm::Module &M);
  bool mayRecur(const llvm::Function &F) const { return Found.contains(&F); }

private:
  llvm::DenseSet<const llvm::Function *> Found;
};

/// The instructions that polls are to stand before; and the calls of the poll
/// marker, which become polls.
struct PollPlan {
  llvm::SmallVector<llvm::Instruction *, 4> Before;
  /// Those of loops that only wait: each iteration does the same as the one
  /// before, and nothing but loads.
  llvm::SmallPtrSet<const llvm::Instruction *, 2> Waits;
  void print(llvm::raw_ostream &OS) const;
};

PollPlan planPolls(llvm::Function &F, const Recursion &Recursive,
                   llvm::LoopInfo &LI, llvm::DominatorTree &DT,
                   llvm::ScalarEvolution &SE);

} // namespace graupel::fgdsm

#endif
