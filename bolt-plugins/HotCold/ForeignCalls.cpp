//===- HotCold/ForeignCalls.cpp - Calls that break the ABI ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A saved register that is put on the stack and only written to restore it,
//    without a callee of the image that changes it: another callee does.
// 2. A value that an instruction makes for nothing else in a register that is
//    no parameter, and that is still there at such a call: the callee takes it.
//    Found by a walk through each block from its end, with what is live and
//    what is there at such a call (reaching).
//
//===----------------------------------------------------------------------===//

#include "ForeignCalls.h"
#include "Assumptions.h"
#include "UnreadCode.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Frame pointers are set for debuggers only. The state of the processor is no
/// value.
constexpr RegisterSet Telling =
    NoParameters & (reg::General | reg::Vectors) & ~(reg::RBP | reg::RSP);

class ForeignCalls {
public:
  ForeignCalls(const BinaryFunction &BF, const HotColdContext &Context,
               const Liveness &Live)
      : BF(BF), MIB(*BF.getBinaryContext().MIB), Context(Context), Live(Live),
        Into(BF.size()) {}

  bool any() { return callsOthers() && (savesForNobody() || makesForNobody()); }

private:
  const BinaryFunction &BF;
  const MCPlusBuilder &MIB;
  const HotColdContext &Context;
  const Liveness &Live;
  /// Registers whose content is still there at a call of others.
  std::vector<RegisterSet> Into;

  bool isOthers(const MCInst &Call) const {
    const CallTarget To = targetOf(Context.BC, Call);
    return !To.Function || To.Function->isPLTFunction();
  }

  bool callsOthers() const {
    return any_of(BF, [&](const BinaryBasicBlock &Block) {
      return any_of(Block, [&](const MCInst &Inst) {
        return !MIB.isPseudo(Inst) && MIB.isCall(Inst) && isOthers(Inst);
      });
    });
  }

  // Step 1.
  bool savesForNobody() const {
    RegisterSet Saved = 0, Used = 0;
    for (const BinaryBasicBlock &Block : BF)
      for (const MCInst &Inst : Block) {
        if (MIB.isPseudo(Inst))
          continue;
        const RegisterEffects E = Context.Registers.effects(Inst);
        const RegisterSet Now = savedBy(Context.BC, Inst, E);
        Saved |= Now;
        Used |= E.Reads & ~Now;
        if (!isRestore(Inst, E))
          Used |= E.Writes;
        if (MIB.isCall(Inst))
          Used |= Context.Summaries.ofCall(Inst).MayChange;
      }
    return Saved & ~Used & Telling;
  }

  /// True if \p Inst only loads one register from the stack.
  bool isRestore(const MCInst &Inst, const RegisterEffects &E) const {
    return Context.BC.MII->get(Inst.getOpcode()).mayLoad() &&
           isPowerOf2_64(E.Writes & ~reg::RSP) &&
           !(E.Reads & ~(reg::RSP | reg::RBP));
  }

  // Step 2.
  bool makesForNobody() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BinaryBasicBlock &Block : llvm::reverse(BF)) {
        RegisterSet There = outOf(Block);
        for (const MCInst &Inst : llvm::reverse(Block))
          There = reaching(Inst, There);
        RegisterSet &Before = Into[Block.getIndex()];
        Changed |= There != Before;
        Before = There;
      }
    }
    return any_of(BF, [&](const BinaryBasicBlock &Block) {
      return makesForNobody(Block);
    });
  }

  RegisterSet outOf(const BinaryBasicBlock &Block) const {
    RegisterSet There = 0;
    for (const BinaryBasicBlock *To : Block.successors())
      There |= Into[To->getIndex()];
    return There;
  }

  RegisterSet reaching(const MCInst &Inst, RegisterSet After) const {
    if (MIB.isPseudo(Inst))
      return After;
    After &= ~Context.Registers.effects(Inst).Writes;
    if (!MIB.isCall(Inst))
      return After;
    return isOthers(Inst) ? Telling : After & reg::CalleeSaved;
  }

  bool makesForNobody(const BinaryBasicBlock &Block) const {
    RegisterSet There = outOf(Block), Needed = Live.outOf(Block);
    for (const MCInst &Inst : llvm::reverse(Block)) {
      if (MIB.isPseudo(Inst))
        continue;
      const RegisterEffects E = Context.Registers.effects(Inst);
      // Several registers may be written for what is left in one of them.
      const RegisterSet Made = E.Writes & (reg::General | reg::Vectors);
      if (isPowerOf2_64(Made) && Made & There && !(E.Writes & Needed) &&
          !MIB.isCall(Inst) && !isRestore(Inst, E))
        return true;
      There = reaching(Inst, There);
      Needed = Live.before(Block, Inst, Needed);
    }
    return false;
  }
};

} // namespace

bool graupel::callsAgainstABI(const BinaryFunction &BF,
                              const HotColdContext &Context,
                              const Liveness &Live) {
  return !isBroken(Assumption::PointerTargets) &&
         ForeignCalls(BF, Context, Live).any();
}
