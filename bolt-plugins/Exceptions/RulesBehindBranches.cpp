//===- Exceptions/RulesBehindBranches.cpp - Where rules begin -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule that begins behind a branch stands at the end of the branch's block.
// BOLT takes branches away and adds others at the end of the block, behind the
// rule, which then holds for them, too. A signal's handler that unwinds from
// the branch finds another frame.
//
// BOLT also keeps which rules hold where each block begins, and repeats them
// there if those of the block before it differ. That is enough.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

void graupel::dropRulesBehindBranches(BinaryFunction &BF) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  for (BinaryBasicBlock &Block : BF) {
    const MCInst *Last = Block.getLastNonPseudoInstr();
    if (!Last || !MIB.isBranch(*Last))
      continue;
    while (&Block.back() != Last) {
      // The size of pushed arguments is no rule, and is not repeated.
      const MCCFIInstruction *Rule = BF.getCFIFor(Block.back());
      if (!Rule || Rule->getOperation() == MCCFIInstruction::OpGnuArgsSize)
        break;
      Block.eraseInstruction(std::prev(Block.end()));
    }
  }
}
