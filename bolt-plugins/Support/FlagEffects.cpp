//===- Support/FlagEffects.cpp - Effects on EFLAGS ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM knows the flags as one register, and says of nothing that it overwrites
// all of it. So:
//
// 1. Once for each opcode, take what LLVM says that it reads and writes, and by
//    the instruction's name what that leaves out (describe).
// 2. Where an operand decides, look at it for each instruction: the condition
//    of a jump, a set or a conditional move; by how much is shifted
//    (byOperand).
//
//===----------------------------------------------------------------------===//

#include "FlagEffects.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

bool startsWithAny(StringRef Name, ArrayRef<StringRef> Prefixes) {
  return any_of(Prefixes,
                [Name](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// The flags that \p Name, which writes flags, overwrites whatever its operands
/// are. Repeated comparisons may compare nothing, and CMPXCHG8B writes the zero
/// flag only; they and others that are not listed overwrite nothing.
uint8_t overwritten(StringRef Name) {
  Name.consume_front("LOCK_");
  if (startsWithAny(Name, {"CMPSB", "CMPSW", "CMPSL", "CMPSQ", "CMPXCHG8B",
                           "CMPXCHG16B", "ADCX"}))
    return NoFlags;
  // BT leaves the zero flag.
  if (startsWithAny(Name, {"BT", "CLC", "STC", "CMC"}))
    return Carry;
  if (startsWithAny(Name, {"INC", "DEC"}))
    return OtherFlags;
  if (startsWithAny(
          Name, {"ADD",      "ADC",       "SUB",       "SBB",     "AND",
                 "OR",       "XOR",       "CMP",       "TEST",    "NEG",
                 "IMUL",     "MUL",       "IDIV",      "DIV",     "XADD",
                 "BSF",      "BSR",       "RDRAND",    "RDSEED",  "PTEST",
                 "VPTEST",   "VTESTP",    "KORTEST",   "KTEST",   "PCMPESTR",
                 "PCMPISTR", "VPCMPESTR", "VPCMPISTR", "POPCNT",  "LZCNT",
                 "TZCNT",    "BLSR",      "BLSI",      "BLSMSK",  "BZHI",
                 "BEXTR",    "UCOMIS",    "COMIS",     "VUCOMIS", "VCOMIS",
                 "COM_F",    "UCOM_F"}))
    return AllFlags;
  return NoFlags;
}

/// The flags that \p Name, which writes flags, may change.
uint8_t written(StringRef Name) {
  Name.consume_front("LOCK_");
  if (startsWithAny(Name, {"INC", "DEC"}))
    return OtherFlags;
  return startsWithAny(Name, {"CLC", "STC", "CMC"}) ? Carry : AllFlags;
}

/// The flags that \p Name, which reads flags, reads, if no operand says so.
uint8_t read(StringRef Name) {
  if (Name.starts_with("ADCX"))
    return Carry;
  return startsWithAny(Name, {"ADC", "SBB", "RCL", "RCR", "CMC"}) ? Carry
                                                                  : AllFlags;
}

/// Instructions of which LLVM does not say that they read flags.
bool readsFlagsUntold(StringRef Name) {
  return (Name.starts_with("CMOV") && Name.ends_with("_F")) || // FCMOV
         Name == "LOOPE" || Name == "LOOPNE";
}

/// The last operand of these is a condition, in the processor's order.
bool hasCondition(StringRef Name) {
  return !Name.ends_with("_F") &&
         startsWithAny(Name, {"JCC_", "SETCC", "CMOV16", "CMOV32", "CMOV64"});
}

/// Shifts by a constant or by one. Those by CL are not among them.
bool isShift(StringRef Name) {
  return startsWithAny(Name, {"SHL", "SHR", "SAR"}) && !Name.contains("CL");
}

/// The flags that condition \p Code reads: O, NO, B, AE, E, NE, BE, A, S, NS,
/// P, NP, L, GE, LE, G.
uint8_t readByCondition(int64_t Code) {
  switch (Code) {
  case 2:
  case 3:
    return Carry;
  case 0:
  case 1:
  case 4:
  case 5:
  case 8:
  case 9:
  case 10:
  case 11:
  case 12:
  case 13:
  case 14:
  case 15:
    return OtherFlags;
  default:
    return AllFlags;
  }
}

} // namespace

FlagEffects::FlagEffects(const BinaryContext &BC) {
  for (unsigned I = 0; I < BC.MII->getNumOpcodes(); ++I)
    Opcodes.push_back(describe(BC, I));
}

FlagEffects::Opcode FlagEffects::describe(const BinaryContext &BC,
                                          unsigned Number) {
  const MCInstrDesc &Desc = BC.MII->get(Number);
  const StringRef Name = BC.MII->getName(Number);
  const MCPhysReg Flags = BC.MIB->getFlagsReg();
  Opcode Result;
  Result.LastOperand = std::max<unsigned>(Desc.getNumOperands(), 1) - 1;
  Result.Leaves = Desc.isCall() || Desc.isReturn() || Desc.isBranch() ||
                  Desc.isTerminator();
  if (readsFlagsUntold(Name)) {
    Result.Effects.Reads = AllFlags;
  } else if (Desc.hasImplicitUseOfPhysReg(Flags)) {
    Result.Effects.Reads = read(Name);
    if (hasCondition(Name))
      Result.Operand = Condition;
  }
  if (Desc.hasImplicitDefOfPhysReg(Flags, BC.MRI.get())) {
    Result.Effects.Writes = written(Name);
    Result.Effects.Overwrites = overwritten(Name);
    if (isShift(Name) && (Name.ends_with("r1") || Name.ends_with("m1"))) {
      Result.Effects.Overwrites = AllFlags;
    } else if (isShift(Name)) {
      Result.Operand = Count;
      Result.CountMask = Name.contains("64") ? 63 : 31;
    }
  }
  return Result;
}

FlagEffects::Sets FlagEffects::byOperand(const Opcode &Op, const MCInst &Inst) {
  Sets Effects = Op.Effects;
  if (Op.LastOperand >= Inst.getNumOperands())
    return Effects;
  const MCOperand &Last = Inst.getOperand(Op.LastOperand);
  if (!Last.isImm())
    return Effects;
  if (Op.Operand == Condition)
    Effects.Reads = readByCondition(Last.getImm());
  else if (Last.getImm() & Op.CountMask)
    Effects.Overwrites = AllFlags;
  return Effects;
}
