//===- HotCold/RegisterFacts.h - Known contents of registers ----*- C++ -*-===//
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

/// Facts about each general register at one place of a draft that hold on all
/// paths to it.
class RegisterFacts {
public:
  struct Fact {
    RegisterSet CopyOf = 0; ///< None if empty.
    unsigned Bytes = 0;     ///< Number of equal lower bytes: 4 or 8.
    /// The address that it is, counted from that of the return address.
    std::optional<int64_t> StackAddress = std::nullopt;
    friend bool operator==(const Fact &, const Fact &) = default;
  };

  explicit RegisterFacts(int64_t Depth) : Depth(Depth) {}

  /// \p Register is one general register.
  const Fact &of(RegisterSet Register) const;
  /// The distance of \p Address, counted from the return address's, from the
  /// stack pointer; nothing if that is not known.
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
  std::optional<int64_t> Depth; ///< Depth of the stack.

  std::optional<int64_t> addressIn(const RegisterModel &Registers,
                                   llvm::MCPhysReg Register) const;
  Fact made(const HotColdContext &Context, const llvm::MCInst &Inst) const;
  void forget(RegisterSet Written);
};

/// The facts at the beginning of each block of \p Hot; nothing for unreachable
/// blocks.
std::vector<std::optional<RegisterFacts>>
findRegisterFacts(const HotVersion &Hot);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_REGISTERFACTS_H
