//===- HotCold/RegisterFacts.h - What registers are known to hold -*- C++ -*-=//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_REGISTERFACTS_H
#define GRAUPEL_HOTCOLD_REGISTERFACTS_H

#include "HotVersion.h"
#include <array>

namespace graupel {

/// What is known of each general register at one place of a draft, whatever way
/// led there.
class RegisterFacts {
public:
  struct Fact {
    RegisterSet CopyOf = 0; ///< None if empty.
    unsigned Bytes = 0;     ///< Of it that are equal: 4 or 8.
    /// The address that it is, counted from that of the return address.
    std::optional<int64_t> StackAddress = std::nullopt;
    friend bool operator==(const Fact &, const Fact &) = default;
  };

  explicit RegisterFacts(int64_t Depth) : Depth(Depth) {}

  /// \p Register is one general register.
  const Fact &of(RegisterSet Register) const;
  /// Where \p Address, counted from the return address's, is from the stack
  /// pointer; nothing if that is not known.
  std::optional<int64_t> fromStackPointer(int64_t Address) const;

  /// Goes on behind \p Inst.
  void step(const HotColdContext &Context, const llvm::MCInst &Inst);
  /// Forgets the copies of lower halves.
  void forgetHalves();
  /// Keeps what \p Other knows, too. True if that is less than before.
  bool meet(const RegisterFacts &Other);
  void print(llvm::raw_ostream &OS, const RegisterModel &Registers) const;

private:
  std::array<Fact, 16> Facts;
  std::optional<int64_t> Depth; ///< Of the stack.

  std::optional<int64_t> addressIn(const RegisterModel &Registers,
                                   llvm::MCPhysReg Register) const;
  Fact made(const HotColdContext &Context, const llvm::MCInst &Inst) const;
  void forget(RegisterSet Written);
};

/// The facts where each block of \p Hot begins; nothing for blocks that no way
/// leads to.
std::vector<std::optional<RegisterFacts>>
findRegisterFacts(const HotVersion &Hot);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_REGISTERFACTS_H
