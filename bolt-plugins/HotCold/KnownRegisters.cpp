//===- HotCold/KnownRegisters.cpp - Known values in registers -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells which constants and addresses in the frame the registers hold.
//
// 1. The constructor reads the names of all opcodes. shapeOf() recognizes
//    moves, additions, subtractions, exclusive ors, LEA, CMP and TEST by them.
// 2. atEntry(): only the stack pointer is known.
// 3. execute() sets the result of a recognized instruction (result). One of 32
//    bits clears the upper half.
// 4. After any other instruction, forget() makes unknown all registers that the
//    instruction or its callee may change.
// 5. comparison() returns the values that CMP or TEST compares. changesFlags()
//    tells which instructions may overwrite the flags of a comparison.
//
//===----------------------------------------------------------------------===//

#include "KnownRegisters.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static constexpr unsigned RSP = 4; // Its index.

ValueModel::ValueModel(const HotColdContext &Context) : Context(Context) {
  const MCInstrInfo &Instructions = *Context.BC.MII;
  for (unsigned I = 0; I < Instructions.getNumOpcodes(); ++I)
    Shapes.push_back(shapeOf(Instructions.getName(I)));
}

ValueModel::Shape ValueModel::shapeOf(StringRef Name) {
  static constexpr std::pair<StringRef, Form> Families[] = {
      {"MOV", Form::Move},       {"XOR", Form::Difference},
      {"SUB", Form::Subtract},   {"ADD", Form::Add},
      {"CMP", Form::Compare},    {"TEST", Form::Test},
      {"LEA", Form::LoadAddress}};
  Shape S;
  for (const auto &[Family, Operation] : Families)
    if (Name.consume_front(Family)) {
      S.Operation = Operation;
      break;
    }
  unsigned Bits = 0;
  if (S.Operation == Form::Other || Name.consumeInteger(10, Bits))
    return {};
  S.Bytes = Bits / 8;
  const bool OnlyFlags =
      S.Operation == Form::Compare || S.Operation == Form::Test;
  // Narrow results keep a part of the old value.
  if (!OnlyFlags && Bits != 32 && Bits != 64)
    return {};
  if (S.Operation == Form::LoadAddress)
    return Bits == 64 && Name == "r" ? S : Shape();
  if (Name == "rr" || Name == "rr_REV") {
    if (S.Operation == Form::Subtract)
      S.Operation = Form::Difference;
    return S.Operation == Form::Add ? Shape() : S;
  }
  S.HasImmediate = true;
  if (S.Operation == Form::Move)
    S.Operation = Form::MoveImmediate;
  if (S.Operation == Form::Difference)
    return {};
  if (Name == "ri" || Name == "ri8" || Name == "ri32")
    return S;
  S.IsOfRAX = OnlyFlags;
  const bool IsShort = Name == "i8" || Name == "i16" || Name == "i32";
  return OnlyFlags && IsShort ? S : Shape();
}

KnownRegisters ValueModel::atEntry() {
  // Signals would go astray if it held anything else.
  KnownRegisters Known;
  Known[RSP] = KnownValue::frame();
  return Known;
}

/// 16 or more if it is no general register.
unsigned ValueModel::indexOf(MCPhysReg Register) const {
  return llvm::countr_zero(Context.Registers.setOf(Register));
}

KnownValue ValueModel::valueOf(MCPhysReg Register,
                               const KnownRegisters &Known) const {
  const unsigned Index = indexOf(Register);
  return Index < Known.size() ? Known[Index] : KnownValue();
}

KnownValue ValueModel::address(const MCInst &Inst,
                               const KnownRegisters &Known) const {
  const auto Memory = Context.BC.MIB->evaluateX86MemoryOperand(Inst);
  if (!Memory || Memory->DispExpr || Memory->IndexRegNum)
    return {};
  return valueOf(Memory->BaseRegNum, Known).plus(Memory->DispImm);
}

/// The value that \p Inst puts into its first operand; nothing if it may have
/// other effects.
std::optional<KnownValue>
ValueModel::result(const MCInst &Inst, const Shape &S,
                   const KnownRegisters &Known) const {
  if (S.Operation == Form::Other)
    return std::nullopt;
  if (S.Operation == Form::LoadAddress)
    return address(Inst, Known);
  const MCOperand &Last =
      Inst.getOperand(MCPlus::getNumPrimeOperands(Inst) - 1);
  // Some immediates are addresses that BOLT knows only later.
  if (S.HasImmediate && !Last.isImm())
    return std::nullopt;
  switch (S.Operation) {
  case Form::MoveImmediate:
    return KnownValue::constant(static_cast<uint64_t>(Last.getImm()));
  case Form::Move:
    return valueOf(Last.getReg(), Known);
  case Form::Difference:
    if (Inst.getOperand(1).getReg() == Last.getReg())
      return KnownValue::constant(0);
    return std::nullopt;
  case Form::Add:
    return valueOf(Inst.getOperand(1).getReg(), Known).plus(Last.getImm());
  case Form::Subtract:
    return valueOf(Inst.getOperand(1).getReg(), Known).plus(-Last.getImm());
  default:
    return std::nullopt;
  }
}

void ValueModel::forget(const MCInst &Inst, KnownRegisters &Known) const {
  const BinaryContext &BC = Context.BC;
  RegisterSet Changed = Context.writtenBy(Inst);
  // LLVM does not model writes by the kernel, for example.
  if (!BC.MIB->isCall(Inst) &&
      BC.MII->get(Inst.getOpcode()).hasUnmodeledSideEffects())
    Changed |= reg::General & ~reg::RSP;
  if (Context.Stack.effect(Inst).Operation != StackEffect::Kind::Unknown)
    Changed &= ~reg::RSP;
  for (unsigned I = 0; I < Known.size(); ++I)
    if (Changed & reg::bit(I))
      Known[I] = {};
}

void ValueModel::execute(const MCInst &Inst, KnownRegisters &Known) const {
  if (Context.BC.MIB->isPseudo(Inst))
    return;
  const Shape &S = Shapes[Inst.getOpcode()];
  const std::optional<KnownValue> Result = result(Inst, S, Known);
  const unsigned To =
      Result ? indexOf(Inst.getOperand(0).getReg()) : Known.size();
  if (To >= Known.size()) {
    forget(Inst, Known);
    return;
  }
  Known[To] = S.Bytes == 4 ? Result->lowerHalf() : *Result;
  // However often it has grown, this is where the stack ends.
  if (To == RSP && Known[To].isFrame())
    Known[To] = KnownValue::frame();
}

std::optional<Comparison>
ValueModel::comparison(const MCInst &Inst, const KnownRegisters &Known) const {
  const Shape &S = Shapes[Inst.getOpcode()];
  if ((S.Operation != Form::Compare && S.Operation != Form::Test) ||
      Context.Registers.namesHighByte(Inst))
    return std::nullopt;
  const MCOperand &Last =
      Inst.getOperand(MCPlus::getNumPrimeOperands(Inst) - 1);
  if (S.HasImmediate && !Last.isImm())
    return std::nullopt;
  const MCPhysReg Left = S.IsOfRAX ? Context.Registers.generalRegister(reg::RAX)
                                   : MCPhysReg(Inst.getOperand(0).getReg());
  Comparison C;
  C.IsTest = S.Operation == Form::Test;
  C.Bytes = S.Bytes;
  C.Left = valueOf(Left, Known);
  C.Right = S.HasImmediate
                ? KnownValue::constant(static_cast<uint64_t>(Last.getImm()))
                : valueOf(Last.getReg(), Known);
  C.WithItself = !S.HasImmediate && Last.getReg() == Left;
  return C;
}

bool ValueModel::changesFlags(const MCInst &Inst) const {
  return !Context.BC.MIB->isPseudo(Inst) &&
         (Context.BC.MIB->isCall(Inst) ||
          Context.Registers.effects(Inst).Writes & reg::Flags);
}
