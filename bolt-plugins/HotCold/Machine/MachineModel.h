//===- HotCold/Machine/MachineModel.h - Instruction model -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_MACHINEMODEL_H
#define GRAUPEL_HOTCOLD_MACHINE_MACHINEMODEL_H

#include "RegisterSet.h"
#include "StackModel.h"

namespace graupel {

/// The descriptions of instructions, which all share. Immutable.
struct MachineModel {
  const llvm::bolt::BinaryContext &BC;
  const RegisterModel &Registers;
  const StackModel &Stack;
};

/// True if \p Inst only loads or stores, at a constant distance from the stack
/// pointer.
bool isPlainStackAccess(const MachineModel &Model, const llvm::MCInst &Inst);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_MACHINE_MACHINEMODEL_H
