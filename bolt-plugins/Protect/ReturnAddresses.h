//===- Protect/ReturnAddresses.h - Uses of return addresses -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_RETURNADDRESSES_H
#define GRAUPEL_PROTECT_RETURNADDRESSES_H

#include "Protected.h"
#include "llvm/ADT/DenseSet.h"
#include <mutex>

namespace graupel {

/// Finds functions that read what is behind their calls, or that return behind
/// it: their callers keep their code as it is.
class ReturnAddresses {
public:
  explicit ReturnAddresses(llvm::bolt::BinaryContext &BC);

  /// Looks at \p BF, which has a flow graph. Several threads may call this.
  void look(const llvm::bolt::BinaryFunction &BF);

  /// All functions with a flow graph have been looked at.
  void protectCallers(ProtectedFunctions &Protected);

private:
  friend class ReturnAddressFlow;
  using FunctionSet = llvm::DenseSet<const llvm::bolt::BinaryFunction *>;
  enum class Form : uint8_t {
    Other,
    Push,
    PushOther,
    Pop,
    PopOther,
    Add,
    Subtract,
    Address,
    Move,
    Load,
    Store,
    Leave,
    AddToMemory, ///< Or subtract, or combine otherwise, a constant.
  };

  llvm::bolt::BinaryContext &BC;
  std::vector<Form> Forms;      ///< By opcode.
  std::vector<int8_t> NumberOf; ///< By register; -1 if it is not general.
  std::mutex Lock;              ///< Guards the members below.
  FunctionSet Strange;          ///< Functions that do so.
  FunctionSet Unread;           ///< Callees without a flow graph.
  /// Functions that jump to a function with the stack as their own caller left
  /// it.
  llvm::DenseMap<const llvm::bolt::BinaryFunction *,
                 std::vector<const llvm::bolt::BinaryFunction *>>
      JumpedToBy;

  void noteUnreadCallees(const llvm::bolt::BinaryFunction &BF);
  void lookAtUnread();
  bool callsStrange(const llvm::bolt::BinaryFunction &BF) const;
};

} // namespace graupel

#endif // GRAUPEL_PROTECT_RETURNADDRESSES_H
