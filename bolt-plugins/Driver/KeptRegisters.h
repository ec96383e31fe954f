//===- Driver/KeptRegisters.h - Registers that functions keep ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers in assembly overwrite registers that the ABI has functions preserve.
// Functions that call them save these for their own callers, and seem to have
// no other use for them: BOLT's frame optimization would remove such a save or
// move it to where the register is used.
//
//  1. A function does not keep a register that it writes to before it stores
//     it, in the order of its instructions.
//  2. Nor one that a function it calls does not keep, unless it stores it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_KEPTREGISTERS_H
#define GRAUPEL_DRIVER_KEPTREGISTERS_H

#include "bolt/Core/BinaryContext.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

class KeptRegisters {
public:
  /// Looks at all functions of \p BC that have been read.
  explicit KeptRegisters(llvm::bolt::BinaryContext &BC);

  /// True if \p BF calls a function of its file that does not keep a register
  /// it should.
  bool callsUnconventional(const llvm::bolt::BinaryFunction &BF) const;

private:
  struct Function {
    llvm::BitVector Lost;   ///< Not kept.
    llvm::BitVector Stored; ///< On the stack.
    std::vector<const llvm::bolt::BinaryFunction *> Callees;
  };
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, Function> All;

  void look(llvm::bolt::BinaryContext &BC, const llvm::bolt::BinaryFunction &BF,
            const llvm::BitVector &ToKeep);
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_KEPTREGISTERS_H
