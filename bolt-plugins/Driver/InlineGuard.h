//===- Driver/InlineGuard.h - Unwind rules of inlined code ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT 22 inlines without unwind rules, so exceptions that pass what it inlined
// may be lost:
//
// 1. It takes a jump to a function's cold part for a tail call, behind which
//    the frame is gone. Functions with a cold part are not inlined. Nor are
//    those with computed gotos: data knows their labels.
// 2. A function that calls nobody may have a frame. Nor are these inlined; a
//    handler of signals may throw.
// 3. The inlined blocks get the rules that hold where the block of the call
//    begins. If it pushes before it calls, they are not those that hold at the
//    call. Behind BOLT's pass, give each block that was not there before the
//    rules that hold where a predecessor ends.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_INLINEGUARD_H
#define GRAUPEL_DRIVER_INLINEGUARD_H

#include "Options/BoltOptions.h"
#include "Support/BoltInternals.h"
#include "UnreadFunctions.h"
#include "bolt/Passes/Inliner.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace graupel {

/// BOLT's inlining, with the unwind rules of what it inlines.
class GuardedInliner : public llvm::bolt::Inliner {
public:
  using Inliner::Inliner;

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    if (!isGiven("inline-all") && !isGiven("inline-small-functions") &&
        !isGiven("force-inline"))
      return Inliner::runOnFunctions(BC);
    setUnlessGiven("inline-ignore-leaf-cfi", "0");
    llvm::DenseMap<const llvm::bolt::BinaryFunction *, BlockSet> Known;
    // BOLT does not inline functions with an exception table.
    const auto HasTable = member(internals::HasEHRangesTag());
    std::vector<llvm::bolt::BinaryFunction *> Kept, LeftOut;
    for (auto &[Address, BF] : BC.getBinaryFunctions()) {
      if (!(BF.*HasTable) && isInParts(BF))
        Kept.push_back(&BF);
      // Not even if the user names it.
      if (BF.isSimple() && (BF.hasUnknownControlFlow() || BF.isMultiEntry() ||
                            (isGiven("force-inline") && BF.hasJumpTables())))
        LeftOut.push_back(&BF);
    }
    for (llvm::bolt::BinaryFunction *BF : Kept)
      BF->*HasTable = true;
    for (llvm::bolt::BinaryFunction *BF : LeftOut)
      BF->setSimple(false);
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (BF.hasCFG() && BF.hasCFI())
        for (const llvm::bolt::BinaryBasicBlock &Block : BF)
          Known[&BF].insert(&Block);
    llvm::Error E = Inliner::runOnFunctions(BC);
    for (llvm::bolt::BinaryFunction *BF : Kept)
      BF->*HasTable = false;
    for (llvm::bolt::BinaryFunction *BF : LeftOut)
      BF->setSimple(true);
    if (E)
      return E;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (auto It = Known.find(&BF); It != Known.end())
        if (It->second.size() != BF.size())
          correctRules(BF, It->second);
    return llvm::Error::success();
  }

private:
  using BlockSet = llvm::DenseSet<const llvm::bolt::BinaryBasicBlock *>;

  /// \p Known: the blocks whose rules are right.
  static void correctRules(llvm::bolt::BinaryFunction &BF, BlockSet &Known) {
    llvm::SmallVector<llvm::bolt::BinaryBasicBlock *> Work;
    for (llvm::bolt::BinaryBasicBlock &Block : BF)
      if (Known.contains(&Block))
        Work.push_back(&Block);
    while (!Work.empty()) {
      const llvm::bolt::BinaryBasicBlock *Block = Work.pop_back_val();
      for (llvm::bolt::BinaryBasicBlock *Next : Block->successors()) {
        if (!Known.insert(Next).second)
          continue;
        Next->*member(internals::CFIStateTag()) = Block->getCFIStateAtExit();
        Work.push_back(Next);
      }
    }
  }
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_INLINEGUARD_H
