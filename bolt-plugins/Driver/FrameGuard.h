//===- Driver/FrameGuard.h - Keeps -frame-opt from what it breaks -*- C++ -===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_FRAMEGUARD_H
#define GRAUPEL_DRIVER_FRAMEGUARD_H

#include "BoltInternals.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/FrameOptimizer.h"
#include "llvm/ADT/StringSet.h"

namespace graupel {

/// BOLT's frame optimization, but for functions that the compiler had already
/// split, and for those that call setjmp(). BOLT takes a jump to the cold part
/// for a tail call, after which nobody needs the frame; the cold part, and the
/// unwinding of what it throws, still do. After longjmp() a register is as old
/// as setjmp(), a variable in memory, instead of which BOLT may read it, is
/// not.
class GuardedFrameOptimizer : public llvm::bolt::FrameOptimizerPass {
public:
  using FrameOptimizerPass::FrameOptimizerPass;

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    using llvm::bolt::BinaryFunction;
    const auto Unknown = member(internals::HasUnknownControlFlowTag());
    std::vector<BinaryFunction *> Hidden;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (!(BF.*Unknown) && BF.hasCFG() &&
          (isInParts(BF) || callsSetjmp(BC, BF)))
        Hidden.push_back(&BF);
    for (BinaryFunction *BF : Hidden)
      BF->*Unknown = true;
    llvm::Error E = FrameOptimizerPass::runOnFunctions(BC);
    for (BinaryFunction *BF : Hidden)
      BF->*Unknown = false;
    return E;
  }

private:
  static bool isInParts(const llvm::bolt::BinaryFunction &BF) {
    return BF.isFragment() || !(BF.*member(internals::FragmentsTag())).empty();
  }

  static bool callsSetjmp(const llvm::bolt::BinaryContext &BC,
                          const llvm::bolt::BinaryFunction &BF) {
    for (const llvm::bolt::BinaryBasicBlock &Block : BF)
      for (const llvm::MCInst &Inst : Block)
        if (BC.MIB->isCall(Inst) && returnsTwice(BC.MIB->getTargetSymbol(Inst)))
          return true;
    return false;
  }

  static bool returnsTwice(const llvm::MCSymbol *Callee) {
    static const llvm::StringSet<> Names = {
        "setjmp",      "_setjmp",    "__setjmp", "sigsetjmp",
        "__sigsetjmp", "getcontext", "vfork",    "__vfork"};
    return Callee && Names.contains(Callee->getName().split('@').first);
  }
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_FRAMEGUARD_H
