//===- HotCold/Machine/MachineModel.cpp - Instruction model ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineModel.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

bool graupel::isPlainStackAccess(const MachineModel &Model,
                                 const MCInst &Inst) {
  const auto Memory = Model.BC.MIB->evaluateX86MemoryOperand(Inst);
  const MCInstrDesc &Info = Model.BC.MII->get(Inst.getOpcode());
  const auto NumNamed =
      count_if(MCPlus::primeOperands(Inst), [&](const MCOperand &Op) {
        return Op.isReg() && Op.getReg() &&
               Model.Registers.setOf(Op.getReg()) == reg::RSP;
      });
  return Memory && Model.Registers.setOf(Memory->BaseRegNum) == reg::RSP &&
         !Memory->IndexRegNum && !Memory->DispExpr && !Memory->SegRegNum &&
         (Info.mayLoad() || Info.mayStore()) && NumNamed == 1;
}
