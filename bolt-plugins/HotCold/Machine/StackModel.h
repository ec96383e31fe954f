//===- HotCold/Machine/StackModel.h - Stack instructions --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_STACKMODEL_H
#define GRAUPEL_HOTCOLD_MACHINE_STACKMODEL_H

#include "RegisterSet.h"

namespace graupel {

/// The effect of one instruction on the stack pointer.
struct StackEffect {
  enum class Kind {
    None,    ///< No effect.
    Push,    ///< Stores a register or a value and makes the stack grow by 8.
    Pop,     ///< Loads a register and makes it shrink by 8.
    Adjust,  ///< Adds a constant, and does nothing else that matters.
    Unknown, ///< Anything else.
  };
  Kind Operation = Kind::None;
  int64_t Growth = 0;       ///< In bytes.
  RegisterSet Register = 0; ///< Pushed or popped register, if any.
};

/// Recognizes stack instructions. Thread-safe after construction.
class StackModel {
public:
  StackModel(const llvm::bolt::BinaryContext &BC, const RegisterModel &Model);

  /// Calls are taken to preserve the stack pointer.
  StackEffect effect(const llvm::MCInst &Inst) const;
  /// LEA of 64 bits.
  unsigned loadAddress() const { return LoadAddressOpcode; }
  /// MOV between 64-bit registers.
  unsigned move() const { return MoveOpcode; }
  /// The same for their lower halves.
  unsigned move32() const { return Move32Opcode; }
  /// MOV of a 64-bit register from or to memory.
  unsigned load() const { return LoadOpcode; }
  unsigned store() const { return StoreOpcode; }
  unsigned push() const { return PushOpcode; }
  unsigned pop() const { return PopOpcode; }

private:
  unsigned LoadAddressOpcode = 0, MoveOpcode = 0, Move32Opcode = 0,
           LoadOpcode = 0, StoreOpcode = 0, PushOpcode = 0, PopOpcode = 0;
  const llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  enum : uint8_t {
    Other,
    AddImmediate,
    SubImmediate,
    LoadAddress,
    PushRegister,
    PushValue,
    PopRegister
  };
  std::vector<uint8_t> Forms; ///< By opcode.
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_MACHINE_STACKMODEL_H
