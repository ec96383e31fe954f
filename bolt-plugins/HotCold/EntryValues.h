//===- HotCold/EntryValues.h - Preservation of caller state -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_ENTRYVALUES_H
#define GRAUPEL_HOTCOLD_ENTRYVALUES_H

#include "HotCold/Machine/AccessSizes.h"
#include "HotCold/Machine/RegisterSet.h"
#include "StackDepth.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel {

/// The parts of its caller's state that a function preserves.
struct KeptState {
  /// General registers that may hold something else at one of its ends.
  RegisterSet Changed = 0;
  /// Saved registers that it also reads from where it has saved them.
  RegisterSet ReadFromStack = 0;
  /// It returns behind its call, and the stack is as it was.
  bool KeepsStack = true;
  /// It looks at its return address, and may return there a second time.
  bool ReadsReturnAddress = false;
  bool HasEnd = false; ///< Control may leave it.
};

/// Known effects of a callee.
struct CalleeState {
  RegisterSet Changes = 0;
  bool KeepsStack = true;
  bool Returns = true;
};

/// Follows the values that the caller left in registers through one function,
/// however they are saved and restored.
class EntryValues {
public:
  using Callees = llvm::function_ref<CalleeState(const llvm::MCInst &Call)>;

  EntryValues(const llvm::bolt::BinaryContext &BC, const RegisterModel &Model,
              const StackModel &Stack);

  KeptState find(const llvm::bolt::BinaryFunction &BF, Callees Callees);

private:
  friend class EntryValueFlow;
  enum class Form : uint8_t { Other, Add, Subtract, And };
  const llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  const StackModel &Stack;
  AccessSizes Sizes;
  std::vector<Form> Forms; ///< By opcode.
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_ENTRYVALUES_H
