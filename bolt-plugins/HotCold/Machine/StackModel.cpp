//===- HotCold/Machine/StackModel.cpp - Stack instructions ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StackModel.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

StackModel::StackModel(const BinaryContext &BC, const RegisterModel &Model)
    : BC(BC), Model(Model), Forms(BC.MII->getNumOpcodes(), Other) {
  for (unsigned I = 0; I < Forms.size(); ++I) {
    const StringRef Name = BC.MII->getName(I);
    if (Name == "ADD64ri8" || Name == "ADD64ri32")
      Forms[I] = AddImmediate;
    else if (Name == "SUB64ri8" || Name == "SUB64ri32")
      Forms[I] = SubImmediate;
    else if (Name == "LEA64r")
      Forms[LoadAddressOpcode = I] = LoadAddress;
    else if (Name == "MOV64rr")
      MoveOpcode = I;
    else if (Name == "MOV32rr")
      Move32Opcode = I;
    else if (Name == "MOV64rm")
      LoadOpcode = I;
    else if (Name == "MOV64mr")
      StoreOpcode = I;
    else if (Name == "PUSH64r")
      Forms[PushOpcode = I] = PushRegister;
    else if (Name == "PUSH64i8" || Name == "PUSH64i32" || Name == "PUSH64rmm")
      Forms[I] = PushValue;
    else if (Name == "POP64r")
      Forms[PopOpcode = I] = PopRegister;
  }
}

StackEffect StackModel::effect(const MCInst &Inst) const {
  using Kind = StackEffect::Kind;
  if (!Model.movesStack(Inst) || Model.isPseudo(Inst) || Model.isCall(Inst) ||
      Model.isReturn(Inst))
    return {};
  const StackEffect Unknown{Kind::Unknown};
  switch (Forms[Inst.getOpcode()]) {
  case PushRegister:
    return {Kind::Push, 8, Model.setOf(Inst.getOperand(0).getReg())};
  case PushValue:
    return {Kind::Push, 8};
  case PopRegister: {
    const RegisterSet Register = Model.setOf(Inst.getOperand(0).getReg());
    return Register == reg::RSP ? Unknown
                                : StackEffect{Kind::Pop, -8, Register};
  }
  case AddImmediate:
  case SubImmediate: {
    if (!Inst.getOperand(2).isImm())
      return Unknown;
    const int64_t Sum = Inst.getOperand(2).getImm();
    return {Kind::Adjust, Forms[Inst.getOpcode()] == AddImmediate ? -Sum : Sum};
  }
  case LoadAddress: {
    const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
    if (!Memory || Memory->DispExpr ||
        Model.setOf(Memory->BaseRegNum) != reg::RSP || Memory->IndexRegNum)
      return Unknown;
    return {Kind::Adjust, -Memory->DispImm};
  }
  default:
    return Unknown;
  }
}
