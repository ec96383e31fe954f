//===- HotCold/Machine/AccessSizes.h - Bytes accessed -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_ACCESSSIZES_H
#define GRAUPEL_HOTCOLD_MACHINE_ACCESSSIZES_H

#include "bolt/Core/BinaryContext.h"
#include "llvm/MC/MCInstPrinter.h"

namespace graupel {

/// The sizes of instructions' memory accesses.
class AccessSizes {
public:
  explicit AccessSizes(const llvm::bolt::BinaryContext &BC);
  /// In bytes, or 0 if that cannot be told.
  int64_t of(const llvm::MCInst &Inst);
  /// MOV between 32-bit registers.
  unsigned moveHalf() const { return MoveHalf; }

private:
  unsigned MoveHalf = 0;
  const llvm::bolt::BinaryContext &BC;
  std::unique_ptr<llvm::MCInstPrinter> IntelSyntax;
  llvm::DenseMap<unsigned, int64_t> Known; ///< By opcode.
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_MACHINE_ACCESSSIZES_H
