//===- HotCold/RegisterOutline.cpp - Code as liveness sees it -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Finds the registers that are pushed for a callee to read (findPushed):
//    walks from entries along all edges with the set of registers that may have
//    been assigned to.
// 2. Each block's instructions become steps (stepOf); those between calls are
//    composed to one that has the same effect on the set of live registers.
//
//===----------------------------------------------------------------------===//

#include "RegisterOutline.h"
#include "Assumptions.h"
#include "Support/SplitTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static RegisterSet onlyOperand(const RegisterModel &Model, const MCInst &Inst) {
  if (MCPlus::getNumPrimeOperands(Inst) != 1 || !Inst.getOperand(0).isReg())
    return 0;
  return Model.setOf(Inst.getOperand(0).getReg());
}

/// True if \p Inst pushes a saved register.
static bool isSave(const MCPlusBuilder &MIB, const RegisterModel &Model,
                   const MCInst &Inst) {
  return MIB.isPush(Inst) && onlyOperand(Model, Inst) & reg::CalleeSaved;
}

/// True if \p Inst takes one from the stack.
static bool isRestore(const MCPlusBuilder &MIB, const RegisterModel &Model,
                      const MCInst &Inst) {
  return MIB.isLeave(Inst) ||
         (MIB.isPop(Inst) && onlyOperand(Model, Inst) & reg::CalleeSaved);
}

RegisterOutline::RegisterOutline(const BinaryFunction &BF,
                                 const RegisterModel &Model,
                                 const RegisterSummaries &Summaries)
    : Blocks(BF.size()) {
  findPushed(BF, Model, Summaries);
  for (const BinaryBasicBlock &Block : BF) {
    BlockRange &B = Blocks[Block.getIndex()];
    B.FirstStep = Steps.size();
    for (const MCInst &Inst : Block)
      if (!Model.isPseudo(Inst))
        add(stepOf(Block, Inst, Model, PushedForOthers), B.FirstStep);
    B.NumSteps = Steps.size() - B.FirstStep;
    B.FirstEdge = Edges.size();
    for (const BinaryBasicBlock *To : Block.successors())
      Edges.push_back(To->getIndex());
    for (const BinaryBasicBlock *Pad : Block.landing_pads())
      Edges.push_back(Pad->getIndex());
    B.NumSuccessors = Block.succ_size();
    B.NumPads = Edges.size() - B.FirstEdge - B.NumSuccessors;
    B.AtEnd = atEndOf(Block);
  }
}

void RegisterOutline::add(const Step &S, unsigned FirstOfBlock) {
  if (S.Kind != Step::Run || Steps.size() == FirstOfBlock ||
      Steps.back().Kind != Step::Run) {
    Steps.push_back(S);
    return;
  }
  Step &Before = Steps.back();
  Before.Reads |= S.Reads & ~Before.Kills;
  Before.Kills |= S.Kills;
}

RegisterOutline::Step RegisterOutline::stepOf(const BinaryBasicBlock &Block,
                                              const MCInst &Inst,
                                              const RegisterModel &Model,
                                              RegisterSet PushedForOthers) {
  const BinaryContext &BC = Block.getFunction()->getBinaryContext();
  const MCPlusBuilder &MIB = *BC.MIB;
  RegisterEffects E = Model.effects(Inst);
  if (isBroken(Assumption::Flags))
    E.Reads &= ~reg::Flags;
  Step S;
  S.Reads = E.Reads | reg::RSP;
  if (Model.isReturn(Inst)) {
    S.Kind = Step::Return;
  } else if (Model.isCall(Inst)) {
    S.Kind = Step::Call;
    S.IsTail = MIB.isTailCall(Inst);
    S.IsConditional = MIB.getConditionalTailCall(Inst).has_value();
    S.IsLast = &Inst == Block.getLastNonPseudoInstr();
    S.Target = targetOf(BC, Inst);
  } else if (isSave(MIB, Model, Inst) && !(E.Reads & PushedForOthers)) {
    // The stored value is the caller's; without its restore nobody needs it.
    S.Reads = reg::RSP;
  } else {
    S.Kills = E.Kills;
  }
  return S;
}

RegisterSet RegisterOutline::atEndOf(const BinaryBasicBlock &Block) {
  const MCInst *Last = Block.getLastNonPseudoInstr();
  if (mayLeaveByTable(Block))
    return reg::All;
  if (!Block.succ_empty() || !Last)
    return 0;
  // Nothing is needed behind a call that does not return, or a trap. Any other
  // end may lead anywhere, as may a computed jump with unknown targets.
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  return !MIB.isCall(*Last) &&
                 (!MIB.isTerminator(*Last) || MIB.isIndirectBranch(*Last))
             ? reg::All
             : 0;
}

/// A register that may have been assigned to is no longer the caller's: pushing
/// it passes an argument.
void RegisterOutline::findPushed(const BinaryFunction &BF,
                                 const RegisterModel &Model,
                                 const RegisterSummaries &Summaries) {
  const BinaryContext &BC = BF.getBinaryContext();
  PushedForOthers = Summaries.of(BF).ReadFromStack;
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
      if (Model.isPseudo(Inst))
        continue;
      if (isSave(*BC.MIB, Model, Inst))
        PushedForOthers |= onlyOperand(Model, Inst) & Assigned;
      else if (isRestore(*BC.MIB, Model, Inst))
        Assigned &= ~Model.effects(Inst).Writes;
      else
        Assigned |= Model.effects(Inst).Writes & reg::CalleeSaved;
      Returns &= !Model.isCall(Inst) || Summaries.ofCall(Inst).Returns;
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
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (!Model.isPseudo(Inst) && isSave(*BC.MIB, Model, Inst))
        Saved |= onlyOperand(Model, Inst);
  Saved &= ~PushedForOthers;
}
