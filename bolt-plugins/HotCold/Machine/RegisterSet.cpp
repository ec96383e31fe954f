//===- HotCold/Machine/RegisterSet.cpp - Registers as bits ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterSet.h"
#include "Support/FlagEffects.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static const char *const GeneralNames[] = {
    "RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
    "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};

RegisterModel::RegisterModel(const BinaryContext &BC)
    : BC(BC), Bits(BC.MRI->getNumRegs(), reg::Others),
      Widths(BC.MRI->getNumRegs()), KillsFlags(BC.MII->getNumOpcodes()),
      Idioms(BC.MII->getNumOpcodes()), CountsInRCX(BC.MII->getNumOpcodes()),
      MoreReads(BC.MII->getNumOpcodes()), MoreWrites(BC.MII->getNumOpcodes()) {
  const MCRegisterInfo &MRI = *BC.MRI;
  StringMap<MCPhysReg> Named;
  for (unsigned R = 1; R < MRI.getNumRegs(); ++R)
    Named[MRI.getName(R)] = R;
  auto assign = [&](const Twine &Name, RegisterSet Set) {
    auto At = Named.find(Name.str());
    if (At == Named.end())
      return;
    for (MCPhysReg Part : MRI.subregs_inclusive(At->second))
      Bits[Part] = Set;
  };
  for (unsigned I = 0; I < 16; ++I) {
    General[I] = Named.lookup(GeneralNames[I]);
    assign(GeneralNames[I], reg::bit(I));
    for (MCPhysReg Part : MRI.subregs_inclusive(General[I]))
      Widths[Part] = BC.MIB->getRegSize(Part);
  }
  for (unsigned I = 0; I < 32; ++I)
    assign("ZMM" + Twine(I), reg::bit(32 + I));
  for (unsigned I = 0; I < 8; ++I) {
    assign("K" + Twine(I), reg::bit(19 + I));
    for (const char *Stack : {"FP", "ST", "MM"})
      assign(Stack + Twine(I), reg::Float);
  }
  for (const char *Name : {"FPSW", "FPCW"})
    assign(Name, reg::Float);
  assign("MXCSR", reg::MXCSR);
  assign("EFLAGS", reg::Flags);
  for (const char *Name : {"RIP", "SSP"})
    assign(Name, 0);
  Bits[0] = 0;

  const FlagEffects Flags(BC);
  for (unsigned I = 0; I < BC.MII->getNumOpcodes(); ++I) {
    MCInst Inst;
    Inst.setOpcode(I);
    KillsFlags[I] = Flags.overwrites(Inst);
    const StringRef Name = BC.MII->getName(I);
    CountsInRCX[I] = BC.MII->get(I).hasImplicitUseOfPhysReg(Named.lookup("DF"));
    if (Flags.reads(Inst))
      MoreReads[I] = reg::Flags;
    // LLVM says nothing of what Linux does.
    if (Name == "SYSCALL") {
      MoreReads[I] = reg::RAX | reg::RDI | reg::RSI | reg::RDX | reg::R10 |
                     reg::R8 | reg::R9 | reg::RSP;
      MoreWrites[I] = reg::RAX | reg::RCX | reg::R11;
    } else if (Name == "INT") {
      MoreReads[I] = reg::RAX | reg::RBX | reg::RCX | reg::RDX | reg::RSI |
                     reg::RDI | reg::RBP | reg::RSP;
      MoreWrites[I] = reg::RAX;
    }
    if (Name == "XOR32rr" || Name == "XOR64rr" || Name == "SUB32rr" ||
        Name == "SUB64rr" || Name == "SBB32rr" || Name == "SBB64rr")
      Idioms[I] = WithItself; // SBB makes it of the carry.
    else if (Name == "OR32ri8" || Name == "OR64ri8" || Name == "OR32ri" ||
             Name == "OR64ri32")
      Idioms[I] = AllOnes;
  }
}

MCPhysReg RegisterModel::generalRegister(RegisterSet Set) const {
  assert(isPowerOf2_64(Set) && Set <= reg::R15 && "not one general register");
  return General[Log2_64(Set)];
}

bool RegisterModel::isIdiom(const MCInst &Inst) const {
  const uint8_t Kind = Idioms[Inst.getOpcode()];
  if (Kind == WithItself)
    return Inst.getOperand(1).getReg() == Inst.getOperand(2).getReg();
  return Kind == AllOnes && Inst.getOperand(2).isImm() &&
         Inst.getOperand(2).getImm() == -1;
}

RegisterEffects RegisterModel::effects(const MCInst &Inst) const {
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  RegisterEffects E;
  unsigned Index = 0;
  for (const MCOperand &Op : MCPlus::primeOperands(Inst)) {
    const bool IsDef = Index++ < Info.getNumDefs();
    if (!Op.isReg() || !Op.getReg())
      continue;
    const RegisterSet Set = Bits[Op.getReg()];
    if (!IsDef) {
      E.Reads |= Set;
      continue;
    }
    E.Writes |= Set;
    if (Widths[Op.getReg()] >= 4)
      E.Kills |= Set;
    else
      E.Reads |= Set; // The other bits stay.
  }
  for (MCPhysReg R : Info.implicit_uses())
    E.Reads |= Bits[R];
  for (MCPhysReg R : Info.implicit_defs()) {
    E.Writes |= Bits[R];
    if (Widths[R] >= 4)
      E.Kills |= Bits[R];
    else if (Bits[R] != reg::Flags)
      E.Reads |= Bits[R];
  }
  // String instructions count in RCX when they have a prefix.
  if (CountsInRCX[Inst.getOpcode()] && Inst.getFlags()) {
    E.Reads |= reg::RCX;
    E.Writes |= reg::RCX;
  }
  E.Reads |= MoreReads[Inst.getOpcode()];
  E.Writes |= MoreWrites[Inst.getOpcode()];
  E.Kills |= MoreWrites[Inst.getOpcode()];
  if (E.Writes & reg::Flags && KillsFlags[Inst.getOpcode()])
    E.Kills |= reg::Flags;
  if (isIdiom(Inst))
    E.Reads &= ~Bits[Inst.getOperand(1).getReg()];
  return E;
}

void RegisterModel::replaceRegister(MCOperand &Op, RegisterSet New) const {
  const MCPhysReg Old = generalRegister(setOf(Op.getReg()));
  const MCPhysReg Whole = generalRegister(New);
  if (Op.getReg() == Old)
    Op.setReg(Whole);
  else
    Op.setReg(
        BC.MRI->getSubReg(Whole, BC.MRI->getSubRegIndex(Old, Op.getReg())));
}

bool RegisterModel::namesHighByte(const MCInst &Inst) const {
  return any_of(MCPlus::primeOperands(Inst), [&](const MCOperand &Op) {
    return Op.isReg() && Op.getReg() && BC.MIB->isUpper8BitReg(Op.getReg());
  });
}

void RegisterModel::print(raw_ostream &OS, RegisterSet Set) const {
  ListSeparator Comma;
  for (unsigned I = 0; I < 16; ++I)
    if (Set & reg::bit(I))
      OS << Comma << StringRef(GeneralNames[I]).lower();
  if (Set & reg::Flags)
    OS << Comma << "flags";
  for (unsigned I = 0; I < 32; ++I)
    if (Set & reg::bit(32 + I))
      OS << Comma << "v" << I;
  if (Set & (reg::Float | reg::MXCSR | reg::Masks | reg::Others))
    OS << Comma << "others";
}
