//===- HotCold/OwnResults.cpp ---------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnResults.h"
#include "StayingCalls.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Goes on from \p Unread, the registers that were assigned to and not read since.
RegisterSet OwnResults::behind(const MCInst &Inst, RegisterSet Unread) const {
  if (Model.isPseudo(Inst))
    return Unread;
  const RegisterEffects E = Model.effects(Inst);
  Unread = (Unread & ~E.Reads) | E.Writes;
  if (!Model.isCall(Inst))
    return Unread;
  // Its results may be this function's.
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst);
  const BinaryFunction *To = Target ? BC.getFunctionForSymbol(Target) : nullptr;
  return To ? of(*To) : 0;
}

bool OwnResults::look(const BinaryFunction &BF) {
  RegisterSet AtEnds = reg::All;
  bool Ends = false;
  std::vector<RegisterSet> Before(BF.size(), reg::All);
  Before[BF.front().getIndex()] = 0;
  for (const BinaryBasicBlock &Block : BF)
    if (Block.isEntryPoint() || Block.isLandingPad())
      Before[Block.getIndex()] = 0;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BinaryBasicBlock &Block : BF) {
      RegisterSet Unread = Before[Block.getIndex()];
      for (const MCInst &Inst : Block) {
        Unread = behind(Inst, Unread);
        if (BC.MIB->isReturn(Inst) || BC.MIB->isTailCall(Inst)) {
          AtEnds &= Unread;
          Ends = true;
        }
      }
      for (const BinaryBasicBlock *To : Block.successors()) {
        RegisterSet &There = Before[To->getIndex()];
        Changed |= There & ~Unread;
        There &= Unread;
      }
    }
  }
  RegisterSet &Its = Known[&BF];
  const RegisterSet Now = Ends ? AtEnds & PossibleResults & reg::General : 0;
  const bool IsMore = Now & ~Its;
  Its |= Now;
  return IsMore;
}
