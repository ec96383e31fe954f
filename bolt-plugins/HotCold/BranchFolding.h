//===- HotCold/BranchFolding.h - Branches that are decided ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callees test their arguments, for null above all. In a caller into which one
// was inlined these may be known: the address of a local variable, or a
// constant. Then some of the callee's branches always go the same way.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_BRANCHFOLDING_H
#define GRAUPEL_HOTCOLD_BRANCHFOLDING_H

#include "KnownRegisters.h"

namespace graupel {

/// The conditional branches of one function that always go the same way, and
/// why. An analysis: the function stays as it is until it is given to
/// foldBranches().
class DecidedBranches {
public:
  struct Branch {
    llvm::bolt::BinaryBasicBlock *Block; ///< It ends with the branch.
    bool IsTaken;
    unsigned ComparisonIndex; ///< Index of the comparison in Block.
    Comparison Compared;
    /// Flags of the comparison are read by others, too.
    bool IsComparisonNeeded = true;
  };

  DecidedBranches(llvm::bolt::BinaryFunction &BF, const HotColdContext &Context,
                  const ValueModel &Values);

  llvm::bolt::BinaryFunction &function() const { return BF; }
  llvm::ArrayRef<Branch> branches() const { return Branches; }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::bolt::BinaryFunction &BF;
  const HotColdContext &Context;
  const ValueModel &Values;
  /// State at the beginning of blocks; nothing for unreached ones.
  std::vector<std::optional<KnownRegisters>> In;
  std::vector<Branch> Branches;

  void solve();
  std::optional<Branch> decide(llvm::bolt::BinaryBasicBlock &Block,
                               KnownRegisters &Known) const;
  bool needsComparison(const Branch &B, const Liveness &Live) const;
};

/// Lets the blocks of \p Decided go on without their branches and, where
/// nothing else needs them, comparisons. Removes blocks that cannot be reached
/// then. Returns the number of executions of the removed instructions.
double foldBranches(const DecidedBranches &Decided);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_BRANCHFOLDING_H
