//===- HotCold/Proof/NeededRegisters.cpp - Registers read later -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backwards through the blocks until nothing changes. A call ends the need for
// a register only if no path through its callee leaves anything of the old
// value.
//
//===----------------------------------------------------------------------===//

#include "NeededRegisters.h"
#include "CalleeFacts.h"
#include "Support/SplitTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

NeededRegisters::NeededRegisters(const BinaryFunction &BF,
                                 const CalleeFacts &Callees,
                                 RegisterSet ByCaller)
    : BF(BF), MIB(*BF.getBinaryContext().MIB), Callees(Callees),
      ByCaller(ByCaller), AtReturn(Callees.results(BF) | ByCaller | reg::RSP),
      Into(BF.size()) {
  std::vector<Needs> BlockNeeds(BF.size());
  for (const BinaryBasicBlock &Block : BF)
    BlockNeeds[Block.getIndex()] = needsOf(Block);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BinaryBasicBlock &Block : llvm::reverse(BF)) {
      RegisterSet &Old = Into[Block.getIndex()];
      const RegisterSet New =
          BlockNeeds[Block.getIndex()].of(outOf(Block), ofPads(Block));
      Changed |= Old != New;
      Old = New;
    }
  }
}

NeededRegisters::Needs
NeededRegisters::needsOf(const BinaryBasicBlock &Block) const {
  Needs Sum;
  for (const MCInst &Inst : llvm::reverse(Block)) {
    const Needs N = needsOf(Inst);
    Sum.Own = N.of(Sum.Own, 0);
    Sum.Thrown = (Sum.Thrown & N.Passed) | N.Thrown;
    Sum.Passed &= N.Passed;
  }
  return Sum;
}

NeededRegisters::Needs NeededRegisters::needsOf(const MCInst &Inst) const {
  if (Callees.model().Registers.isPseudo(Inst))
    return {};
  if (Callees.model().Registers.isReturn(Inst))
    return {AtReturn, 0, 0};
  const RegisterEffects E = Callees.model().Registers.effects(Inst);
  if (!Callees.model().Registers.isCall(Inst))
    return {E.Reads | reg::RSP, ~E.Kills, 0};
  const CallEffects Callee = Callees.ofCall(BF, Inst);
  const RegisterSet Own = E.Reads | Callee.MayRead | reg::RSP;
  const RegisterSet Left = Callee.Returns ? Callee.MayHoldOld : 0;
  if (!MIB.isTailCall(Inst))
    return {Own, Left, ~(reg::RAX | reg::RDX)};
  // Registers that the callee preserves reach this function's callers.
  return {Own | ByCaller | (AtReturn & Left),
          MIB.getConditionalTailCall(Inst) ? reg::All : 0, 0};
}

RegisterSet NeededRegisters::ofPads(const BinaryBasicBlock &Block) const {
  RegisterSet Needed = 0;
  for (const BinaryBasicBlock *Pad : Block.landing_pads())
    Needed |= Into[Pad->getIndex()];
  return Needed;
}

RegisterSet NeededRegisters::outOf(const BinaryBasicBlock &Block) const {
  RegisterSet Needed = 0;
  for (const BinaryBasicBlock *To : Block.successors())
    Needed |= Into[To->getIndex()];
  const MCInst *Last =
      const_cast<BinaryBasicBlock &>(Block).getLastNonPseudoInstr();
  if (mayLeaveByTable(Block))
    return reg::All;
  if (!Block.succ_empty() || !Last || MIB.isCall(*Last) || MIB.isReturn(*Last))
    return Needed;
  // A trap, or a jump to an unknown place.
  const StringRef Name = Callees.model().BC.MII->getName(Last->getOpcode());
  return MIB.isTrap(*Last) || Name == "TRAP" ? 0 : reg::All;
}

RegisterSet NeededRegisters::before(const BinaryBasicBlock &Block,
                                    const MCInst &Inst,
                                    RegisterSet After) const {
  return needsOf(Inst).of(After, ofPads(Block));
}

void NeededRegisters::forEachCall(
    function_ref<void(const MCInst &, RegisterSet)> Do) const {
  for (const BinaryBasicBlock &Block : BF) {
    RegisterSet After = outOf(Block);
    for (const MCInst &Inst : llvm::reverse(Block)) {
      if (!Callees.model().Registers.isPseudo(Inst) &&
          Callees.model().Registers.isCall(Inst))
        Do(Inst, MIB.isTailCall(Inst) ? After | AtReturn : After);
      After = before(Block, Inst, After);
    }
  }
}
