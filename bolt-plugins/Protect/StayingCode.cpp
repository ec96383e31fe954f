//===- Protect/StayingCode.cpp - Flow of functions that stay --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Copy the instructions of each block, and its edges.
// 2. The flow is understood if the reason to stay has nothing to do with it,
//    BOLT found the targets of all jumps, and no block ends in the open.
//
//===----------------------------------------------------------------------===//

#include "StayingCode.h"
#include "Protected.h"
#include "Support/SplitTables.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlus.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static std::vector<StayingFunction> Staying;

/// Whether a function that stays because of \p Reason may have the flow that
/// BOLT sees: it stays because of where it lies.
static bool allowsFlow(ProtectReason Reason) {
  switch (Reason) {
  case ProtectReason::CountsFromTable:
  case ProtectReason::KnownByNumber:
  case ProtectReason::ArrayElement:
  case ProtectReason::BehindSection:
  case ProtectReason::KnownEnd:
  case ProtectReason::BoundedCode:
    return true;
  default:
    return false;
  }
}

/// Whether \p Block ends in a way that nothing but its edges follows.
static bool endsKnown(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  const MCInst *Last = Block.getLastNonPseudoInstr();
  if (mayLeaveByTable(Block))
    return false;
  if (!Block.succ_empty())
    return true;
  if (!Last || (MIB.isIndirectBranch(*Last) && !MIB.isTailCall(*Last)))
    return false;
  return MIB.isCall(*Last) || MIB.isReturn(*Last) || MIB.isTerminator(*Last);
}

void graupel::noteStaying(const BinaryFunction &BF, ProtectReason Reason) {
  const BinaryContext &BC = BF.getBinaryContext();
  StayingFunction S{&BF,
                    {},
                    allowsFlow(Reason) && BF.isSimple() && !BF.empty() &&
                        !BF.hasUnknownControlFlow() && !BF.isFragment()};
  for (const BinaryBasicBlock &Block : BF) {
    assert(Block.getIndex() == S.Blocks.size() && "blocks have no order");
    StayingFunction::Block &Copy = S.Blocks.emplace_back();
    for (const MCInst &Inst : Block) {
      if (BC.MIB->isPseudo(Inst))
        continue;
      const bool IsTail = BC.MIB->isTailCall(Inst);
      Copy.Steps.push_back({MCInst(), BC.MIB->isCall(Inst) || IsTail, IsTail,
                            BC.MIB->isReturn(Inst)});
      MCInst &New = Copy.Steps.back().Inst;
      New.setOpcode(Inst.getOpcode());
      New.setFlags(Inst.getFlags());
      for (const MCOperand &Op : MCPlus::primeOperands(Inst))
        New.addOperand(Op);
    }
    for (const BinaryBasicBlock *To : Block.successors())
      Copy.Next.push_back(To->getIndex());
    S.IsUnderstood &= endsKnown(Block);
  }
  Staying.push_back(std::move(S));
}

ArrayRef<StayingFunction> graupel::stayingFunctions() { return Staying; }
