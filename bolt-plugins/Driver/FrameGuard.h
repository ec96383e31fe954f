//===- Driver/FrameGuard.h - Keeps -frame-opt from what it breaks -*- C++ -===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_FRAMEGUARD_H
#define GRAUPEL_DRIVER_FRAMEGUARD_H

#include "KeptRegisters.h"
#include "Support/BoltInternals.h"
#include "UnreadFunctions.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/FrameOptimizer.h"
#include "llvm/ADT/StringSet.h"

namespace graupel {

/// BOLT's frame optimization, but for functions in which it is wrong:
///  1. Those that the compiler had already split. BOLT takes a jump to the cold
///     part for a tail call, after which nobody needs the frame; the cold part,
///     and the unwinding of what it throws, still do.
///  2. Those that call setjmp(). After longjmp() a register is as old as
///     setjmp(), a variable in memory, instead of which BOLT may read it, is
///     not.
///  3. Those that use the red zone. A push that BOLT moves into a rare path
///     writes to where that path keeps a variable below the stack pointer.
///  4. Those that call functions that do not keep registers (KeptRegisters.h).
///  5. Those with several entries, as hot-cold optimization makes them. A push
///     that BOLT moves in front of an entry is missing for calls of it.
///  6. Those that are too large for it: it keeps a bit for each instruction
///     with each block, and visits these again and again.
class GuardedFrameOptimizer : public llvm::bolt::FrameOptimizerPass {
public:
  using FrameOptimizerPass::FrameOptimizerPass;

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    using llvm::bolt::BinaryFunction;
    const auto Unknown = member(internals::HasUnknownControlFlowTag());
    std::vector<BinaryFunction *> Hidden;
    const KeptRegisters Kept(BC);
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (!(BF.*Unknown) && BF.hasCFG() &&
          (isTooLarge(BF) || isInParts(BF) || BF.isMultiEntry() ||
           callsSetjmp(BC, BF) || usesRedZone(BC, BF) ||
           Kept.callsUnconventional(BF)))
        Hidden.push_back(&BF);
    for (BinaryFunction *BF : Hidden)
      BF->*Unknown = true;
    llvm::Error E = FrameOptimizerPass::runOnFunctions(BC);
    for (BinaryFunction *BF : Hidden)
      BF->*Unknown = false;
    return E;
  }

private:
  static bool isTooLarge(const llvm::bolt::BinaryFunction &BF) {
    constexpr uint64_t MostBits = uint64_t(1) << 28;
    return BF.size() * BF.getNumNonPseudos() > MostBits;
  }

  static bool callsSetjmp(const llvm::bolt::BinaryContext &BC,
                          const llvm::bolt::BinaryFunction &BF) {
    for (const llvm::bolt::BinaryBasicBlock &Block : BF)
      for (const llvm::MCInst &Inst : Block)
        if (BC.MIB->isCall(Inst) && returnsTwice(BC.MIB->getTargetSymbol(Inst)))
          return true;
    return false;
  }

  /// True if an address below the stack pointer is seen, or may hide in one
  /// below the frame pointer: in a function without calls the compiler does not
  /// move the stack pointer for its variables.
  static bool usesRedZone(const llvm::bolt::BinaryContext &BC,
                          const llvm::bolt::BinaryFunction &BF) {
    if (!BC.isX86())
      return false;
    bool Calls = false, BelowFrame = false;
    for (const llvm::bolt::BinaryBasicBlock &Block : BF)
      for (const llvm::MCInst &Inst : Block) {
        Calls |= BC.MIB->isCall(Inst) && !BC.MIB->isTailCall(Inst);
        const auto Operand = BC.MIB->evaluateX86MemoryOperand(Inst);
        if (!Operand || Operand->DispExpr || Operand->DispImm >= 0)
          continue;
        if (Operand->BaseRegNum == BC.MIB->getStackPointer())
          return true;
        BelowFrame |= Operand->BaseRegNum == BC.MIB->getFramePointer();
      }
    return BelowFrame && !Calls;
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
