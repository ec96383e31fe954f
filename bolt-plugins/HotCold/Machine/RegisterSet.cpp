//===- HotCold/Machine/RegisterSet.cpp - Registers as bits ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Each physical register is one bit of a set, together with its parts.
// 2. For each opcode, one entry says which registers it reads, writes and
//    overwrites beside its operands, and completes LLVM's description
//    (describe).
// 3. The effects of an instruction are its opcode's, and those of its operands:
//    a write of less than 32 bits of a register keeps, and so reads, the rest.
//
//===----------------------------------------------------------------------===//

#include "RegisterSet.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static const char *const GeneralNames[] = {
    "RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
    "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};

RegisterModel::RegisterModel(const BinaryContext &BC)
    : BC(BC), Bits(BC.MRI->getNumRegs(), reg::Others),
      WholeBits(BC.MRI->getNumRegs()), Widths(BC.MRI->getNumRegs()), Flags(BC) {
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
  for (unsigned R = 0; R < MRI.getNumRegs(); ++R)
    WholeBits[R] = Widths[R] >= 4 ? Bits[R] : 0;

  const MCPhysReg DirectionFlag = Named.lookup("DF");
  for (unsigned I = 0; I < BC.MII->getNumOpcodes(); ++I)
    Opcodes.push_back(describe(I, DirectionFlag));
}

/// A hypervisor, an enclave, a device or firmware answers these, and may take
/// and change any register. LLVM names some or none.
static bool isByOthers(StringRef Name) {
  static constexpr StringLiteral Beginnings[] = {
      "ENCL",    "GETSEC",   "IN16",   "IN32",    "IN8",    "MONTMUL",
      "OUT16",   "OUT32",    "OUT8",   "PCONFIG", "RSM",    "SEAM",
      "SKINIT",  "SYSENTER", "TDCALL", "VMCALL",  "VMFUNC", "VMLAUNCH",
      "VMMCALL", "VMRESUME", "VMRUN",  "XCRYPT",  "XSHA",   "XSTORE"};
  // Few of thousands of names have even the first letter.
  return any_of(Beginnings, [&](StringRef Begin) {
    return Name.front() == Begin.front() && Name.starts_with(Begin);
  });
}

/// The destination keeps its value, or its upper half, if a condition fails.
static bool keepsDestination(StringRef Name) {
  return (Name.starts_with("CMPXCHG") && Name.ends_with("rr")) ||
         Name.starts_with("LAR") || Name.starts_with("LSL");
}

/// Adds the registers that LLVM's description of \p Name leaves out.
static void addUnnamed(StringRef Name, RegisterEffects &E) {
  constexpr RegisterSet State =
      reg::Vectors | reg::Masks | reg::Float | reg::MXCSR | reg::Others;
  RegisterSet Changed = 0;
  if (Name.starts_with("FXSAVE") || Name.starts_with("XSAVE"))
    E.Reads |= State;
  // They keep registers that their masks do not name.
  if (Name.starts_with("FXRSTOR") || Name.starts_with("XRSTOR"))
    Changed = State;
  else if (Name == "LOOP" || Name == "LOOPE" || Name == "LOOPNE")
    Changed = reg::RCX;
  else if (Name.starts_with("PUSHFS") || Name.starts_with("PUSHGS") ||
           Name.starts_with("POPFS") || Name.starts_with("POPGS"))
    Changed = reg::RSP;
  else if (Name == "ENTER")
    Changed = reg::RSP | reg::RBP;
  else if (isByOthers(Name))
    Changed = reg::General;
  E.Reads |= Changed;
  E.Writes |= Changed;
}

RegisterModel::OpcodeEffects
RegisterModel::describe(unsigned Opcode, MCPhysReg DirectionFlag) const {
  const MCInstrDesc &Info = BC.MII->get(Opcode);
  const StringRef Name = BC.MII->getName(Opcode);
  OpcodeEffects Result;
  RegisterEffects &E = Result.Implicit;
  Result.NumDefs = Info.getNumDefs();
  Result.IsPseudo = Info.isPseudo();
  Result.IsCall = Info.isCall();
  Result.IsBranch = Info.isBranch();
  Result.IsReturn = Info.isReturn();
  Result.IsExchange = Name.starts_with("XCHG") && Name.ends_with("rr");
  Result.CountsInRCX = Info.hasImplicitUseOfPhysReg(DirectionFlag);
  Result.IsAnsweredElsewhere = isByOthers(Name);
  Result.KeepsDestination = keepsDestination(Name);
  Result.FlagsByOperand = Flags.dependOnOperand(Opcode);
  if (!Result.FlagsByOperand)
    addFlags(E, Flags.of(MCInstBuilder(Opcode)));
  for (MCPhysReg R : Info.implicit_uses())
    E.Reads |= Bits[R] & ~reg::Flags;
  for (MCPhysReg R : Info.implicit_defs()) {
    const RegisterSet Set = Bits[R] & ~reg::Flags;
    E.Writes |= Set;
    if (Widths[R] >= 4)
      E.Kills |= Set;
    else
      E.Reads |= Set;
  }
  addUnnamed(Name, E);
  // Conversions to integers set status flags, which LLVM does not model.
  if (Name.contains("CVT") && (Name.contains("2SI") || Name.contains("2USI"))) {
    E.Reads |= reg::MXCSR;
    E.Writes |= reg::MXCSR;
  }
  // LLVM does not model the effects of Linux.
  RegisterSet ByKernel = 0;
  if (Name == "SYSCALL") {
    E.Reads |= reg::RAX | reg::RDI | reg::RSI | reg::RDX | reg::R10 | reg::R8 |
               reg::R9 | reg::RSP;
    ByKernel = reg::RAX | reg::RCX | reg::R11;
  } else if (Name == "INT") {
    E.Reads |= reg::RAX | reg::RBX | reg::RCX | reg::RDX | reg::RSI | reg::RDI |
               reg::RBP | reg::RSP;
    ByKernel = reg::RAX;
  }
  E.Writes |= ByKernel;
  E.Kills |= ByKernel;
  if (Name == "XOR32rr" || Name == "XOR64rr" || Name == "SUB32rr" ||
      Name == "SUB64rr" || Name == "SBB32rr" || Name == "SBB64rr")
    Result.MakesConstant = WithItself; // SBB makes it of the carry.
  else if (Name == "OR32ri8" || Name == "OR64ri8" || Name == "OR32ri" ||
           Name == "OR64ri32")
    Result.MakesConstant = AllOnes;
  return Result;
}

MCPhysReg RegisterModel::generalRegister(RegisterSet Set) const {
  assert(isPowerOf2_64(Set) && Set <= reg::R15 && "not one general register");
  return General[Log2_64(Set)];
}

bool RegisterModel::isNotedAsTailCall(const MCInst &Inst) const {
  return BC.MIB->isTailCall(Inst);
}

bool RegisterModel::isIdiom(const MCInst &Inst) const {
  const Idiom Kind = Opcodes[Inst.getOpcode()].MakesConstant;
  if (Kind == WithItself)
    return Inst.getOperand(1).getReg() == Inst.getOperand(2).getReg();
  return Kind == AllOnes && Inst.getOperand(2).isImm() &&
         Inst.getOperand(2).getImm() == -1;
}

void RegisterModel::addFlags(RegisterEffects &To, FlagEffects::Sets Flags) {
  auto setOf = [](uint8_t Some) {
    return (Some & Carry ? reg::Carry : 0) |
           (Some & OtherFlags ? reg::OtherFlags : 0);
  };
  To.Reads |= setOf(Flags.Reads);
  To.Writes |= setOf(Flags.Writes);
  To.Kills |= setOf(Flags.Overwrites);
}

RegisterEffects RegisterModel::effects(const MCInst &Inst) const {
  const OpcodeEffects &Opcode = Opcodes[Inst.getOpcode()];
  RegisterEffects E = Opcode.Implicit;
  if (Opcode.FlagsByOperand)
    addFlags(E, Flags.of(Inst));
  const MCOperand *Op = Inst.begin();
  for (const MCOperand *EndOfDefs = Op + Opcode.NumDefs; Op != EndOfDefs;
       ++Op) {
    if (!Op->isReg())
      continue;
    const RegisterSet Set = Bits[Op->getReg()];
    const RegisterSet Whole =
        Opcode.KeepsDestination ? 0 : WholeBits[Op->getReg()];
    E.Writes |= Set;
    E.Kills |= Whole;
    E.Reads |= Set & ~Whole; // Some bits stay, or all.
  }
  // Behind the operands, BOLT keeps its notes in another instruction.
  for (; Op != Inst.end() && !Op->isInst(); ++Op)
    if (Op->isReg())
      E.Reads |= Bits[Op->getReg()];
  // String instructions count in RCX when they have a prefix. If it is 0, they
  // load nothing.
  if (Opcode.CountsInRCX && Inst.getFlags()) {
    E.Reads |= reg::RCX | E.Kills;
    E.Writes |= reg::RCX;
    E.Kills = 0;
  }
  if (Opcode.MakesConstant != None && isIdiom(Inst))
    E.Reads &= ~Bits[Inst.getOperand(1).getReg()];
  return E;
}

bool RegisterModel::movesStack(const MCInst &Inst) const {
  const OpcodeEffects &Opcode = Opcodes[Inst.getOpcode()];
  RegisterSet Writes = Opcode.Implicit.Writes;
  for (unsigned I = 0; I < Opcode.NumDefs; ++I)
    if (const MCOperand &Op = Inst.getOperand(I); Op.isReg())
      Writes |= Bits[Op.getReg()];
  return Writes & reg::RSP;
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
