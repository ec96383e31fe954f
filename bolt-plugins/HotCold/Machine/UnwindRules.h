//===- HotCold/Machine/UnwindRules.h - Call frame rules ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_UNWINDRULES_H
#define GRAUPEL_HOTCOLD_MACHINE_UNWINDRULES_H

#include "Machine.h"
#include "llvm/MC/MCDwarf.h"
#include <map>

namespace graupel::symbolic {

/// The places of the caller's registers, by call frame instructions.
class UnwindRules {
public:
  /// The rules at the entry of \p BF, or behind the first \p Count of its call
  /// frame instructions.
  explicit UnwindRules(const llvm::bolt::BinaryFunction &BF,
                       unsigned Count = 0);

  void apply(const llvm::MCCFIInstruction &CFI);
  /// The first value that unwinding from the state \p M loses; empty if none.
  std::string check(const Machine &M, Executor &Execute, ValueTable &Values,
                    const MachineModel &Context) const;
  /// True if BOLT, which knows states by how many instructions led there, gets
  /// from here to the state \p To when it thinks that this is \p From: it sets
  /// what instructions between them set.
  bool leadsTo(const llvm::bolt::BinaryFunction &BF, unsigned From,
               unsigned To) const;
  /// Bytes between the return address and the stack pointer, if these
  /// instructions tell.
  std::optional<int64_t> depth() const {
    constexpr unsigned StackPointer = 7; // In DWARF's order.
    if (!Known || Current.Register != StackPointer)
      return std::nullopt;
    return Current.Offset - 8;
  }
  /// Registers that are found on the stack.
  RegisterSet saved(const MachineModel &Context) const;
  /// False if something here has no meaning to us.
  bool isKnown() const { return Known; }
  friend bool operator==(const UnwindRules &A, const UnwindRules &B) {
    return A.Known == B.Known && A.Current == B.Current;
  }

private:
  struct State {
    unsigned Register = 7; ///< Base of the frame address: rsp.
    int64_t Offset = 8;
    std::map<unsigned, int64_t> Saved; ///< By register, from that address.
    friend bool operator==(const State &, const State &) = default;
  };
  State Current;
  std::vector<State> Remembered;
  bool Known = true;
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_MACHINE_UNWINDRULES_H
