//===- Instrument/FlagLiveness.cpp - Where the flags hold nothing ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlagLiveness.h"
#include "bolt/Core/ParallelUtilities.h"
#include <mutex>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

FlagConventions::FlagConventions(BinaryContext &BC,
                                 const FlagEffects &Effects) {
  std::mutex Lock;
  auto look = [&](BinaryFunction &BF) {
    const FlagLiveness Liveness(BF, Effects, nullptr);
    if (Liveness.liveInto(BF.front())) {
      std::lock_guard Locked(Lock);
      Takers.insert(BF.getSymbol());
    }
    for (const BinaryBasicBlock &Block : BF)
      for (unsigned I = 0, Until; I < Block.size(); ++I) {
        const MCInst &Inst = Block.getInstructionAtIndex(I);
        // The taken side of a conditional tail call does not come back.
        if (!Effects.mayLeave(Inst) || !BC.MIB->isCall(Inst) ||
            BC.MIB->isTailCall(Inst) || !Liveness.liveAt(Block, I + 1, Until))
          continue;
        std::lock_guard Locked(Lock);
        if (const MCSymbol *Callee = BC.MIB->getTargetSymbol(Inst))
          Returners.insert(Callee);
        else
          AnyReturns = true;
      }
  };
  ParallelUtilities::runOnEachFunction(
      BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL, look,
      [](const BinaryFunction &BF) { return !BF.hasCFG() || BF.empty(); },
      "FlagConventions");
}

bool FlagConventions::returnsFlags(const BinaryFunction &BF) const {
  return AnyReturns || Returners.contains(BF.getSymbol());
}

FlagLiveness::FlagLiveness(BinaryFunction &BF, const FlagEffects &Effects,
                           const FlagConventions *Conventions)
    : BF(BF), Effects(Effects), Conventions(Conventions), LiveIn(BF.size()) {
  // Most blocks decide by themselves, and early.
  SmallVector<const BinaryBasicBlock *> Undecided;
  for (const BinaryBasicBlock &Block : llvm::reverse(BF)) {
    unsigned Index = 0;
    if (const std::optional<bool> Live = firstDecision(Block, Index))
      LiveIn[Block.getIndex()] = *Live;
    else
      Undecided.push_back(&Block);
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BinaryBasicBlock *Block : Undecided)
      if (!LiveIn.test(Block->getIndex()) && liveOut(*Block)) {
        LiveIn.set(Block->getIndex());
        Changed = true;
      }
  }
}

bool FlagLiveness::liveOut(const BinaryBasicBlock &Block) const {
  for (const BinaryBasicBlock *Successor : Block.successors())
    if (LiveIn.test(Successor->getIndex()))
      return true;
  return false;
}

/// Whether the flags are live before \p Inst, if that does not depend on what
/// comes behind it.
std::optional<bool> FlagLiveness::decides(const MCInst &Inst) const {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (Effects.reads(Inst))
    return true;
  if (Effects.mayLeave(Inst)) {
    if (MIB.isCall(Inst))
      return Conventions && Conventions->takesFlags(MIB.getTargetSymbol(Inst));
    if (MIB.isReturn(Inst))
      return Conventions && Conventions->returnsFlags(BF);
  }
  if (Effects.overwrites(Inst))
    return false;
  return std::nullopt;
}

/// Moves \p Index to the first instruction that decides, or behind the last.
std::optional<bool> FlagLiveness::firstDecision(const BinaryBasicBlock &Block,
                                                unsigned &Index) const {
  for (; Index < Block.size(); ++Index)
    if (const std::optional<bool> Live =
            decides(Block.getInstructionAtIndex(Index)))
      return Live;
  return std::nullopt;
}

bool FlagLiveness::liveAt(const BinaryBasicBlock &Block, unsigned Index,
                          unsigned &Until) const {
  Until = Index;
  const std::optional<bool> Live = firstDecision(Block, Until);
  return Live ? *Live : liveOut(Block);
}
