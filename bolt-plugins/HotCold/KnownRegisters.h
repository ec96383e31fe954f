//===- HotCold/KnownRegisters.h - Known values in registers -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_KNOWNREGISTERS_H
#define GRAUPEL_HOTCOLD_KNOWNREGISTERS_H

#include "Comparison.h"
#include "HotVersion.h"
#include <array>

namespace graupel {

/// The known values of general registers, in the order of their encoding.
using KnownRegisters = std::array<KnownValue, 16>;

/// The effects of instructions on known values. Instructions that are not
/// understood make values unknown. Thread-safe after construction.
class ValueModel {
public:
  explicit ValueModel(const HotColdContext &Context);

  /// The state at an entry that may be reached from anywhere.
  static KnownRegisters atEntry();
  void execute(const llvm::MCInst &Inst, KnownRegisters &Known) const;
  /// Nothing if \p Inst does something else.
  std::optional<Comparison> comparison(const llvm::MCInst &Inst,
                                       const KnownRegisters &Known) const;
  /// True if \p Inst may change flags, its callee included.
  bool changesFlags(const llvm::MCInst &Inst) const;

private:
  enum class Form : uint8_t {
    Other,
    MoveImmediate,
    Move,
    Difference, ///< Or exclusive or: 0 if it is of a register with itself.
    LoadAddress,
    Add,
    Subtract,
    Compare,
    Test,
  };
  struct Shape {
    Form Operation = Form::Other;
    uint8_t Bytes = 0;
    bool HasImmediate = false; ///< As its last operand.
    bool IsOfRAX = false;      ///< RAX is an implicit operand.
  };
  const HotColdContext &Context;
  std::vector<Shape> Shapes; ///< By opcode.

  static Shape shapeOf(llvm::StringRef Name);
  unsigned indexOf(llvm::MCPhysReg Register) const;
  KnownValue valueOf(llvm::MCPhysReg Register,
                     const KnownRegisters &Known) const;
  std::optional<KnownValue> result(const llvm::MCInst &Inst, const Shape &S,
                                   const KnownRegisters &Known) const;
  KnownValue address(const llvm::MCInst &Inst,
                     const KnownRegisters &Known) const;
  void forget(const llvm::MCInst &Inst, KnownRegisters &Known) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_KNOWNREGISTERS_H
