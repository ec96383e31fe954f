//===- Support/Returns.h - Whether calls return -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_RETURNS_H
#define GRAUPEL_SUPPORT_RETURNS_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

/// True if \p Inst stops the program.
bool isTrap(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);

/// Reads code to find out whether it returns.
class ReturnFinder {
public:
  /// The evidence for the belief that a function does not return.
  enum class By : uint8_t {
    /// Code in which returns that go elsewhere do not count, or the name of a
    /// compiler's own function or another file's.
    Habit,
    /// Code in which nothing returns. Names count of other files' functions.
    Proof
  };
  ReturnFinder(llvm::bolt::BinaryContext &BC, By Evidence)
      : BC(BC), Evidence(Evidence) {}

  /// False if \p Call, a direct one, is known not to return.
  bool mayReturn(const llvm::MCInst &Call);
  /// False if the call of \p Caller at \p Offset is known not to return.
  bool mayReturn(const llvm::bolt::BinaryFunction &Caller, uint64_t Offset);

private:
  llvm::bolt::BinaryContext &BC;
  const By Evidence;
  llvm::DenseMap<uint64_t, bool> MayReturn; ///< By address.

  bool mayReturn(uint64_t Address, unsigned Depth);
  bool hasEnd(const llvm::bolt::BinaryFunction &BF, unsigned Depth);
};

} // namespace graupel

#endif // GRAUPEL_SUPPORT_RETURNS_H
