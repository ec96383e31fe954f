//===- Driver/KeptRegisters.cpp - Registers that functions keep -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptRegisters.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// The registers of 8 bytes that functions preserve, but for the stack pointer.
static BitVector registersToKeep(const BinaryContext &BC) {
  BitVector Saved(BC.MRI->getNumRegs()), Whole(BC.MRI->getNumRegs());
  BC.MIB->getCalleeSavedRegs(Saved);
  for (unsigned R : Saved.set_bits())
    if (BC.MIB->getRegSize(R) == 8 && R != BC.MIB->getStackPointer())
      Whole.set(R);
  return Whole;
}

/// The register that \p Inst pushes or writes to the stack; 0 if it does not.
static MCRegister savedRegister(const BinaryContext &BC, const MCInst &Inst) {
  const unsigned Operands = MCPlus::getNumPrimeOperands(Inst);
  if (!Operands) // pushf
    return MCRegister();
  if (BC.MIB->isPush(Inst))
    return Inst.getOperand(0).isReg() ? Inst.getOperand(0).getReg()
                                      : MCRegister();
  const MCOperand &Last = Inst.getOperand(Operands - 1);
  if (!Last.isReg() || !BC.MII->get(Inst.getOpcode()).mayStore())
    return MCRegister();
  const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
  const bool ToStack =
      Memory && (Memory->BaseRegNum == BC.MIB->getStackPointer() ||
                 Memory->BaseRegNum == BC.MIB->getFramePointer());
  return ToStack ? Last.getReg() : MCRegister();
}

KeptRegisters::KeptRegisters(BinaryContext &BC) {
  const BitVector ToKeep = registersToKeep(BC);
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    look(BC, BF, ToKeep);
  // Step 2.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[BF, F] : All)
      for (const BinaryFunction *Callee : F.Callees) {
        const auto It = All.find(Callee);
        if (It == All.end())
          continue;
        BitVector Lost = It->second.Lost;
        Lost.reset(F.Stored);
        if (!Lost.test(F.Lost)) // Nothing new.
          continue;
        F.Lost |= Lost;
        Changed = true;
      }
  }
}

// Step 1.
void KeptRegisters::look(BinaryContext &BC, const BinaryFunction &BF,
                         const BitVector &ToKeep) {
  Function F;
  F.Lost = F.Stored = BitVector(BC.MRI->getNumRegs());
  BitVector Parts(BC.MRI->getNumRegs());
  for (unsigned R : ToKeep.set_bits())
    for (MCPhysReg Part : BC.MRI->subregs_inclusive(R))
      Parts.set(Part);
  // Most write to none of them.
  auto writesAny = [&](const MCInst &Inst, const MCInstrDesc &Info) {
    return any_of(Info.implicit_defs(),
                  [&](MCPhysReg R) { return Parts.test(R); }) ||
           any_of(make_range(Inst.begin(), Inst.begin() + Info.getNumDefs()),
                  [&](const MCOperand &Op) {
                    return Op.isReg() && Parts.test(Op.getReg());
                  });
  };
  auto step = [&](const MCInst &Inst) {
    if (BC.MIB->isPseudo(Inst) || BC.MIB->isCFI(Inst))
      return;
    const bool IsCall = BC.MIB->isCall(Inst);
    if (IsCall || BC.MIB->isBranch(Inst))
      if (const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst))
        if (const BinaryFunction *Callee = BC.getFunctionForSymbol(Target);
            Callee && Callee != &BF)
          F.Callees.push_back(Callee);
    if (const MCRegister Saved = savedRegister(BC, Inst);
        Saved && ToKeep.test(Saved) && !F.Lost.test(Saved))
      F.Stored.set(Saved);
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    if (IsCall || !writesAny(Inst, Info))
      return;
    for (unsigned R : ToKeep.set_bits())
      if (!F.Stored.test(R) && Info.hasDefOfPhysReg(Inst, R, *BC.MRI))
        F.Lost.set(R);
  };
  if (BF.hasCFG())
    for (const BinaryBasicBlock &Block : BF)
      for_each(Block, step);
  else
    for_each(make_second_range(BF.instrs()), step);
  All[&BF] = std::move(F);
}

bool KeptRegisters::callsUnconventional(const BinaryFunction &BF) const {
  const auto Own = All.find(&BF);
  return Own != All.end() &&
         any_of(Own->second.Callees, [&](const BinaryFunction *Callee) {
           const auto It = All.find(Callee);
           return It != All.end() && It->second.Lost.any();
         });
}
