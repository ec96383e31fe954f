//===- HotCold/Comparison.h - Comparisons of known values -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_COMPARISON_H
#define GRAUPEL_HOTCOLD_COMPARISON_H

#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>

namespace graupel {

/// The known value of a register on all paths to a place.
struct KnownValue {
  enum class Kind : uint8_t {
    Unknown,
    Constant,
    Frame, ///< Points into the function's own frame: never null.
  };
  Kind Category = Kind::Unknown;
  /// The 64-bit constant, or the number of additions to the stack pointer.
  uint64_t Number = 0;

  static KnownValue constant(uint64_t Value) { return {Kind::Constant, Value}; }
  static KnownValue frame() { return {Kind::Frame, 0}; }
  bool isConstant() const { return Category == Kind::Constant; }
  bool isFrame() const { return Category == Kind::Frame; }
  bool operator==(const KnownValue &Other) const {
    return Category == Other.Category && Number == Other.Number;
  }

  /// The value if it is known to be this one or \p Other.
  KnownValue meet(const KnownValue &Other) const;
  /// The sum with \p Offset, of 64 bits.
  KnownValue plus(int64_t Offset) const;
  /// The value after a write of the lower half, which clears the upper one.
  KnownValue lowerHalf() const;
  void print(llvm::raw_ostream &OS) const;
};

/// TEST or CMP of two values, of which the lowest Bytes count.
struct Comparison {
  bool IsTest = false;
  unsigned Bytes = 8;
  KnownValue Left, Right;
  /// Left and Right are the same register.
  bool WithItself = false;

  /// Whether a branch or another instruction with \p Condition, as x86-64
  /// encodes it, finds it true afterwards; nothing if that is not known.
  std::optional<bool> implies(unsigned Condition) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_COMPARISON_H
