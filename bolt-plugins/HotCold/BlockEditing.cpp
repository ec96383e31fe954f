//===- HotCold/BlockEditing.cpp - Copies of blocks ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockEditing.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

void graupel::appendCopy(BinaryBasicBlock &To, const MCInst &Inst) {
  if (!To.getFunction()->getBinaryContext().MIB->isPseudo(Inst)) {
    To.addInstruction(Inst);
    return;
  }
  MCInst Pseudo = Inst;
  To.insertPseudoInstr(To.end(), Pseudo);
}

void graupel::retargetBranches(BinaryBasicBlock &Block, const MCSymbol &Old,
                               const MCSymbol &New) {
  BinaryContext &BC = Block.getFunction()->getBinaryContext();
  for (MCInst &Inst : Block)
    if (BC.MIB->isBranch(Inst) && !BC.MIB->isIndirectBranch(Inst) &&
        BC.MIB->getTargetSymbol(Inst) == &Old)
      BC.MIB->replaceBranchTarget(Inst, &New, BC.Ctx.get());
}
