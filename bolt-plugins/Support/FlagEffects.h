//===- Support/FlagEffects.h - Effects on EFLAGS ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_FLAGEFFECTS_H
#define GRAUPEL_SUPPORT_FLAGEFFECTS_H

#include "bolt/Core/BinaryContext.h"
#include <vector>

namespace graupel {

/// The arithmetic flags of x86 in two parts: the carry, and the others as one.
enum FlagSet : uint8_t { NoFlags = 0, Carry = 1, OtherFlags = 2, AllFlags = 3 };

/// The effects of instructions on the flags. Nobody reads the old value of a
/// part that an instruction leaves undefined.
class FlagEffects {
public:
  explicit FlagEffects(const llvm::bolt::BinaryContext &BC);

  struct Sets {
    uint8_t Reads = NoFlags;
    uint8_t Writes = NoFlags;     ///< Some of the part may change.
    uint8_t Overwrites = NoFlags; ///< Nothing of the old part is left.
  };
  Sets of(const llvm::MCInst &Inst) const {
    const Opcode &Op = Opcodes[Inst.getOpcode()];
    return Op.Operand == None ? Op.Effects : byOperand(Op, Inst);
  }

  /// False if all instructions with \p Opcode have the same effects.
  bool dependOnOperand(unsigned Opcode) const {
    return Opcodes[Opcode].Operand != None;
  }

  /// All flags as one register.
  bool reads(const llvm::MCInst &Inst) const { return of(Inst).Reads; }
  bool overwrites(const llvm::MCInst &Inst) const {
    return of(Inst).Overwrites == AllFlags;
  }
  /// False for what is neither a call nor a return, whatever its operands.
  bool mayLeave(const llvm::MCInst &Inst) const {
    return Opcodes[Inst.getOpcode()].Leaves;
  }

private:
  /// The operand that decides, too: a condition that is read, or by how much is
  /// shifted.
  enum OperandKind : uint8_t { None, Condition, Count };
  struct Opcode {
    Sets Effects;
    OperandKind Operand = None;
    uint8_t LastOperand = 0;
    uint8_t CountMask = 0; ///< The bits that the processor uses.
    bool Leaves = false;
  };
  std::vector<Opcode> Opcodes;

  static Opcode describe(const llvm::bolt::BinaryContext &BC, unsigned Number);
  static Sets byOperand(const Opcode &Op, const llvm::MCInst &Inst);
};

} // namespace graupel

#endif // GRAUPEL_SUPPORT_FLAGEFFECTS_H
