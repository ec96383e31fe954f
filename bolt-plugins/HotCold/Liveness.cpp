//===- HotCold/Liveness.cpp - Which registers are needed later ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"
#include "Assumptions.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static RegisterSet onlyOperand(const BinaryContext &BC, const MCInst &Inst) {
  static const RegisterModel Model(BC);
  if (MCPlus::getNumPrimeOperands(Inst) != 1 || !Inst.getOperand(0).isReg())
    return 0;
  return Model.setOf(Inst.getOperand(0).getReg());
}

bool graupel::isSave(const BinaryContext &BC, const MCInst &Inst) {
  return BC.MIB->isPush(Inst) && onlyOperand(BC, Inst) & reg::CalleeSaved;
}

bool graupel::isRestore(const BinaryContext &BC, const MCInst &Inst) {
  return BC.MIB->isLeave(Inst) ||
         (BC.MIB->isPop(Inst) && onlyOperand(BC, Inst) & reg::CalleeSaved);
}

Liveness::Liveness(BinaryFunction &BF, const RegisterModel &Model,
                   const RegisterSummaries &Summaries,
                   RegisterSet KeptForCaller)
    : Liveness(BF, Model, Summaries, KeptForCaller,
               // What it does not write is no result: callers that read it
               // nevertheless read what they had.
               KeptForCaller
                   ? Summaries.of(BF).Results | KeptForCaller
                   : Summaries.of(BF).Results & Summaries.of(BF).MayChange,
               &RegisterSummaries::Summary::Uses) {}

Liveness Liveness::ofReads(BinaryFunction &BF, const RegisterModel &Model,
                           const RegisterSummaries &Summaries) {
  return Liveness(BF, Model, Summaries, /*KeptForCaller=*/0, /*AtReturn=*/0,
                  &RegisterSummaries::Summary::Reads);
}

Liveness::Liveness(BinaryFunction &BF, const RegisterModel &Model,
                   const RegisterSummaries &Summaries,
                   RegisterSet KeptForCaller, RegisterSet AtReturn,
                   RegisterSet RegisterSummaries::Summary::*OfCallees)
    : BF(BF), Model(Model), Summaries(Summaries), KeptForCaller(KeptForCaller),
      AtReturn(AtReturn), OfCallees(OfCallees), LiveIn(BF.size()),
      PushedForOthers(findPushedForOthers()), Saved(findSaved()) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BinaryBasicBlock &Block : llvm::reverse(BF)) {
      RegisterSet Live = outOf(Block);
      for (const MCInst &Inst : llvm::reverse(Block))
        Live = before(Block, Inst, Live);
      Changed |= Live != LiveIn[Block.getIndex()];
      LiveIn[Block.getIndex()] = Live;
    }
  }
}

/// A register that may have been assigned to is no longer the caller's: pushing
/// it passes an argument.
RegisterSet Liveness::findPushedForOthers() const {
  const BinaryContext &BC = BF.getBinaryContext();
  RegisterSet Result = Summaries.of(BF).ReadFromStack;
  std::vector<std::optional<RegisterSet>> AssignedIn(BF.size());
  std::vector<const BinaryBasicBlock *> Worklist;
  for (const BinaryBasicBlock &Block : BF)
    if (Block.isEntryPoint()) {
      AssignedIn[Block.getIndex()] = 0;
      Worklist.push_back(&Block);
    }
  while (!Worklist.empty()) {
    const BinaryBasicBlock &Block = *Worklist.back();
    Worklist.pop_back();
    RegisterSet Assigned = *AssignedIn[Block.getIndex()];
    bool Returns = true;
    for (const MCInst &Inst : Block) {
      if (BC.MIB->isPseudo(Inst))
        continue;
      if (isSave(BC, Inst))
        Result |= onlyOperand(BC, Inst) & Assigned;
      else if (isRestore(BC, Inst))
        Assigned &= ~Model.effects(Inst).Writes;
      else
        Assigned |= Model.effects(Inst).Writes & reg::CalleeSaved;
      Returns &= !BC.MIB->isCall(Inst) || Summaries.ofCall(Inst).Returns;
    }
    auto add = [&](const BinaryBasicBlock *To) {
      std::optional<RegisterSet> &In = AssignedIn[To->getIndex()];
      if (In && !(Assigned & ~*In))
        return;
      In = In.value_or(0) | Assigned;
      Worklist.push_back(To);
    };
    if (Returns)
      for_each(Block.successors(), add);
    for_each(Block.landing_pads(), add);
  }
  return Result;
}

RegisterSet Liveness::findSaved() const {
  RegisterSet Result = 0;
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (!BF.getBinaryContext().MIB->isPseudo(Inst) &&
          isSave(BF.getBinaryContext(), Inst))
        Result |= onlyOperand(BF.getBinaryContext(), Inst);
  return Result & ~PushedForOthers;
}

RegisterSet Liveness::outOf(const BinaryBasicBlock &Block) const {
  RegisterSet Live = 0;
  for (const BinaryBasicBlock *Successor : Block.successors())
    Live |= LiveIn[Successor->getIndex()];
  if (!Block.succ_empty() || !Block.getLastNonPseudoInstr())
    return Live;
  // Behind a call that does not return, or a trap, nothing is needed; what
  // reads as neither may be anything, and so may code that a computed jump goes
  // to when its targets are not known.
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  const MCInst &Last = *Block.getLastNonPseudoInstr();
  if (!MIB.isCall(Last) &&
      (!MIB.isTerminator(Last) || MIB.isIndirectBranch(Last)))
    Live = reg::All;
  return Live;
}

RegisterSet Liveness::before(const BinaryBasicBlock &Block, const MCInst &Inst,
                             RegisterSet After) const {
  const BinaryContext &BC = BF.getBinaryContext();
  const MCPlusBuilder &MIB = *BC.MIB;
  if (MIB.isPseudo(Inst))
    return After;
  RegisterEffects E = Model.effects(Inst);
  if (isBroken(Assumption::Flags))
    E.Reads &= ~reg::Flags;
  if (MIB.isReturn(Inst))
    return AtReturn | reg::RSP;
  if (MIB.isCall(Inst)) {
    const RegisterSummaries::Summary Callee = Summaries.ofCall(Inst);
    // Anything may come behind the last call of a block if it never returns.
    // What is read there of registers that the function makes its own is no
    // parameter.
    if (!KeptForCaller && &Inst == Block.getLastNonPseudoInstr())
      After &= ~Saved;
    // What it may leave in the register of a result is there, too.
    const RegisterSet Overwritten =
        Callee.Overwrites & ~(Callee.Uses & ~(Callee.*OfCallees));
    RegisterSet Live = Callee.Returns ? After & ~Overwritten : 0;
    if (MIB.isTailCall(Inst) && !MIB.getConditionalTailCall(Inst))
      Live = 0;
    // What it leaves goes to the callers of this function.
    if (MIB.isTailCall(Inst))
      Live |=
          KeptForCaller | (Callee.Returns ? AtReturn & ~Callee.Overwrites : 0);
    for (const BinaryBasicBlock *Pad : Block.landing_pads())
      Live |= LiveIn[Pad->getIndex()] & ~(reg::RAX | reg::RDX);
    return Live | (Callee.*OfCallees) | E.Reads | reg::RSP;
  }
  // What a save stores is the caller's; without its restore it is nobody's.
  if (isSave(BC, Inst) && !(E.Reads & PushedForOthers))
    return After | reg::RSP;
  return (After & ~E.Kills) | E.Reads | reg::RSP;
}

RegisterSet Liveness::readBy(const BinaryBasicBlock &Block,
                             const MCInst &Inst) const {
  const RegisterSet Read = before(Block, Inst, /*After=*/0);
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (MIB.isPseudo(Inst) || !MIB.isCall(Inst))
    return Read;
  const RegisterSummaries::Summary Callee = Summaries.ofCall(Inst);
  return Read & ~(Callee.Uses & ~Callee.Reads & ~Model.effects(Inst).Reads);
}
