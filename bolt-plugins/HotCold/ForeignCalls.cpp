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
      : BF(BF), Context(Context), Registers(Context.Registers), Live(Live),
        Into(BF.size()) {}

  bool any() { return callsOthers() && (savesForNobody() || makesForNobody()); }

private:
  const BinaryFunction &BF;
  const HotColdContext &Context;
  const RegisterModel &Registers;
  const Liveness &Live;
  /// Registers whose content is still there at a call of others.
  std::vector<RegisterSet> Into;

  /// True if \p Inst calls a function that cannot be seen.
  bool callsOthers(const MCInst &Inst) const {
    return !Registers.isPseudo(Inst) && Registers.isCall(Inst) &&
           targetOf(Context.BC, Inst).isElsewhere();
  }

  bool callsOthers() const {
    return any_of(BF, [&](const BinaryBasicBlock &Block) {
      return any_of(Block,
                    [&](const MCInst &Inst) { return callsOthers(Inst); });
    });
  }

  // Step 1.
  bool savesForNobody() const {
    RegisterSet Saved = 0, Used = 0;
    for (const BinaryBasicBlock &Block : BF)
      for (const MCInst &Inst : Block) {
        if (Registers.isPseudo(Inst))
          continue;
        const RegisterEffects E = Registers.effects(Inst);
        const RegisterSet Now = savedBy(Context.BC, Inst, E);
        Saved |= Now;
        Used |= E.Reads & ~Now;
        if (!isRestore(Inst, E))
          Used |= E.Writes;
        if (Registers.isCall(Inst))
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
    std::vector<LiveTransfer> Transfers(BF.size());
    for (const BinaryBasicBlock &Block : BF) {
      LiveTransfer &T = Transfers[Block.getIndex()];
      for (const MCInst &Inst : llvm::reverse(Block)) {
        T.Reads = reaching(Inst, T.Reads);
        T.Keeps = reaching(Inst, T.Keeps);
      }
    }
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BinaryBasicBlock &Block : llvm::reverse(BF)) {
        const RegisterSet There =
            Transfers[Block.getIndex()].before(outOf(Block));
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
    if (Registers.isPseudo(Inst))
      return After;
    After &= ~Registers.effects(Inst).Writes;
    if (!Registers.isCall(Inst))
      return After;
    return callsOthers(Inst) ? Telling : After & reg::CalleeSaved;
  }

  bool makesForNobody(const BinaryBasicBlock &Block) const {
    RegisterSet There = outOf(Block), Needed = Live.outOf(Block);
    for (const MCInst &Inst : llvm::reverse(Block)) {
      if (Registers.isPseudo(Inst))
        continue;
      const RegisterEffects E = Registers.effects(Inst);
      // Several registers may be written for what is left in one of them.
      const RegisterSet Made = E.Writes & (reg::General | reg::Vectors);
      if (isPowerOf2_64(Made) && Made & There && !(E.Writes & Needed) &&
          !Registers.isCall(Inst) && !isRestore(Inst, E))
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
