//===- Instrument/FlagLiveness.cpp - Where the flags hold nothing ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlagLiveness.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Instructions that write all arithmetic flags, whatever their operands. INC
/// leaves the carry, a shift by zero leaves everything, a repeated comparison
/// of no bytes too, and CMPXCHG8B leaves all but one; they are not here.
bool overwritesAllFlags(StringRef Name) {
  for (StringRef Partial :
       {"CMPSB", "CMPSW", "CMPSL", "CMPSQ", "CMPXCHG8B", "CMPXCHG16B"})
    if (Name.starts_with(Partial))
      return false;
  for (StringRef Prefix :
       {"ADD", "SUB", "AND", "OR", "XOR", "CMP", "TEST", "NEG", "IMUL",
        "UCOMIS", "COMIS", "VUCOMIS", "VCOMIS"})
    if (Name.starts_with(Prefix))
      return true;
  return false;
}

} // namespace

FlagEffects::FlagEffects(const BinaryContext &BC)
    : Effects(BC.MII->getNumOpcodes()) {
  const MCPhysReg Flags = BC.MIB->getFlagsReg();
  for (unsigned I = 0; I < Effects.size(); ++I) {
    const MCInstrDesc &Desc = BC.MII->get(I);
    if (Desc.hasImplicitUseOfPhysReg(Flags))
      Effects[I] |= Reads;
    if (Desc.hasImplicitDefOfPhysReg(Flags, BC.MRI.get()) &&
        overwritesAllFlags(BC.MII->getName(I)))
      Effects[I] |= Overwrites;
  }
}

FlagConventions::FlagConventions(BinaryContext &BC,
                                 const FlagEffects &Effects) {
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    if (!BF.hasCFG() || BF.empty())
      continue;
    const FlagLiveness Liveness(BF, Effects, nullptr);
    if (Liveness.liveInto(BF.front()))
      Takers.insert(BF.getSymbol());
    for (const BinaryBasicBlock &Block : BF) {
      const BitVector Live = Liveness.in(Block);
      unsigned Index = 0;
      for (const MCInst &Inst : Block)
        if (++Index; BC.MIB->isCall(Inst) && Live.test(Index)) {
          // The taken side of a conditional tail call does not come back.
          if (BC.MIB->isTailCall(Inst))
            continue;
          if (const MCSymbol *Callee = BC.MIB->getTargetSymbol(Inst))
            Returners.insert(Callee);
          else
            AnyReturns = true;
        }
    }
  }
}

bool FlagConventions::returnsFlags(const BinaryFunction &BF) const {
  return AnyReturns || Returners.contains(BF.getSymbol());
}

FlagLiveness::FlagLiveness(BinaryFunction &BF, const FlagEffects &Effects,
                           const FlagConventions *Conventions)
    : BF(BF), Effects(Effects), Conventions(Conventions), LiveIn(BF.size()) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BinaryBasicBlock &Block : llvm::reverse(BF)) {
      if (LiveIn.test(Block.getIndex()))
        continue;
      bool Live = liveOut(Block);
      for (const MCInst &Inst : llvm::reverse(Block))
        Live = liveBefore(Inst, Live);
      if (!Live)
        continue;
      LiveIn.set(Block.getIndex());
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

bool FlagLiveness::liveBefore(const MCInst &Inst, bool LiveAfter) const {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (Effects.reads(Inst))
    return true;
  if (MIB.isCall(Inst))
    return Conventions && Conventions->takesFlags(MIB.getTargetSymbol(Inst));
  if (MIB.isReturn(Inst))
    return Conventions && Conventions->returnsFlags(BF);
  return LiveAfter && !Effects.overwrites(Inst);
}

BitVector FlagLiveness::in(const BinaryBasicBlock &Block) const {
  BitVector Live(Block.size() + 1);
  bool IsLive = liveOut(Block);
  unsigned Index = Block.size();
  Live[Index] = IsLive;
  for (const MCInst &Inst : llvm::reverse(Block)) {
    IsLive = liveBefore(Inst, IsLive);
    Live[--Index] = IsLive;
  }
  return Live;
}
