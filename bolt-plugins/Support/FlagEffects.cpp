//===- Support/FlagEffects.cpp - What instructions do to EFLAGS -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlagEffects.h"

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

/// Instructions of which LLVM does not say that they read flags.
bool readsFlagsUntold(StringRef Name) {
  return (Name.starts_with("CMOV") && Name.ends_with("_F")) || // FCMOV
         Name == "LOOPE" || Name == "LOOPNE";
}

} // namespace

FlagEffects::FlagEffects(const BinaryContext &BC)
    : Effects(BC.MII->getNumOpcodes()) {
  const MCPhysReg Flags = BC.MIB->getFlagsReg();
  for (unsigned I = 0; I < Effects.size(); ++I) {
    const MCInstrDesc &Desc = BC.MII->get(I);
    if (Desc.hasImplicitUseOfPhysReg(Flags) ||
        readsFlagsUntold(BC.MII->getName(I)))
      Effects[I] |= Reads;
    if (Desc.hasImplicitDefOfPhysReg(Flags, BC.MRI.get()) &&
        overwritesAllFlags(BC.MII->getName(I)))
      Effects[I] |= Overwrites;
    if (Desc.isCall() || Desc.isReturn() || Desc.isBranch() ||
        Desc.isTerminator())
      Effects[I] |= Leaves;
  }
}
