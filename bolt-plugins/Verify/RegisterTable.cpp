//===- Verify/RegisterTable.cpp - General registers as sets ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterTable.h"

using namespace llvm;
using namespace graupel;

static constexpr const char *Names[] = {
    "RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
    "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};

RegisterTable::RegisterTable(const MCInstrInfo &Instructions,
                             const MCRegisterInfo &Registers)
    : Instructions(Instructions), Places(Registers.getNumRegs()) {
  for (unsigned R = 1; R < Registers.getNumRegs(); ++R)
    for (unsigned N = 0; N < NumRegisters; ++N)
      if (StringRef(Registers.getName(R)) == Names[N])
        for (MCPhysReg Part : Registers.subregs_inclusive(R)) {
          const StringRef Name = Registers.getName(Part);
          const bool Is32 = Name.starts_with("E") ||
                            (Name.starts_with("R") && Name.ends_with("D"));
          Places[Part] = {uint8_t(N),
                          uint8_t(Part == R ? 64 : (Is32 ? 32 : 16))};
        }
}

/// The upper half becomes 0 where the lower half is written.
void RegisterTable::addWritten(unsigned R, RegisterUse &Use) const {
  if (const std::optional<unsigned> N = numberOf(R)) {
    Use.Changes |= 1 << *N;
    if (Places[R].Bits >= 32)
      Use.Overwrites |= 1 << *N;
  }
}

/// A register that is compared with itself by XOR or SUB to make it 0.
bool RegisterTable::isZeroing(const MCInst &Inst) const {
  const StringRef Name = Instructions.getName(Inst.getOpcode());
  return (Name.starts_with("XOR32rr") || Name.starts_with("XOR64rr") ||
          Name.starts_with("SUB32rr") || Name.starts_with("SUB64rr")) &&
         Inst.getNumOperands() == 3 &&
         Inst.getOperand(1).getReg() == Inst.getOperand(2).getReg();
}

RegisterUse RegisterTable::of(const MCInst &Inst) const {
  const MCInstrDesc &Desc = Instructions.get(Inst.getOpcode());
  RegisterUse Use;
  for (unsigned I = 0; I < Inst.getNumOperands(); ++I) {
    if (!Inst.getOperand(I).isReg() || !Inst.getOperand(I).getReg())
      continue;
    const unsigned R = Inst.getOperand(I).getReg();
    if (I < Desc.getNumDefs())
      addWritten(R, Use);
    else if (const std::optional<unsigned> N = numberOf(R))
      Use.Reads |= 1 << *N;
  }
  for (MCPhysReg R : Desc.implicit_uses())
    if (const std::optional<unsigned> N = numberOf(R))
      Use.Reads |= 1 << *N;
  for (MCPhysReg R : Desc.implicit_defs())
    addWritten(R, Use);
  if (isZeroing(Inst))
    Use.Reads = 0;
  return Use;
}

std::string graupel::registerNames(uint32_t Registers) {
  std::string Text;
  for (unsigned N = 0; N < NumRegisters; ++N)
    if (Registers & 1 << N)
      Text += (Text.empty() ? "" : ", ") + std::string(Names[N]);
  return Text;
}
