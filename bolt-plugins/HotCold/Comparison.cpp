//===- HotCold/Comparison.cpp - Comparisons of known values ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel;

namespace {

// Compilers add two, to build a frame pointer and to use it. Code with more
// additions walks through memory, or calculates.
constexpr uint64_t MaxAdditions = 4;

// As x86-64 encodes them; the lowest bit negates.
constexpr unsigned Equal = 4, NotEqual = 5;

struct ArithmeticFlags {
  bool Carry, Zero, Sign, Overflow, Parity;

  bool satisfy(unsigned Condition) const {
    const bool Less = Sign != Overflow;
    const bool Conditions[] = {Overflow, Carry,  Zero, Carry || Zero,
                               Sign,     Parity, Less, Less || Zero};
    return Conditions[Condition / 2] != (Condition % 2 == 1);
  }
};

} // namespace

KnownValue KnownValue::meet(const KnownValue &Other) const {
  if (isFrame() && Other.isFrame())
    return {Kind::Frame, std::max(Number, Other.Number)};
  return *this == Other ? *this : KnownValue();
}

KnownValue KnownValue::plus(int64_t Offset) const {
  if (isConstant())
    return constant(Number + static_cast<uint64_t>(Offset));
  if (isFrame() && Number < MaxAdditions)
    return {Kind::Frame, Number + 1};
  return {};
}

KnownValue KnownValue::lowerHalf() const {
  return isConstant() ? constant(Lo_32(Number)) : KnownValue();
}

void KnownValue::print(raw_ostream &OS) const {
  if (isConstant())
    OS << format_hex(Number, 1);
  else
    OS << (isFrame() ? "in the frame" : "unknown");
}

std::optional<bool> Comparison::implies(unsigned Condition) const {
  const bool WithNull = IsTest ? WithItself : Right == KnownValue::constant(0);
  if (Left.isFrame() && Bytes == 8 && WithNull &&
      (Condition == Equal || Condition == NotEqual))
    return Condition == NotEqual;
  if (!Left.isConstant() || !Right.isConstant() || Condition > 15)
    return std::nullopt;
  const uint64_t Mask = maskTrailingOnes<uint64_t>(8 * Bytes);
  const uint64_t A = Left.Number & Mask, B = Right.Number & Mask;
  const uint64_t Result = (IsTest ? A & B : A - B) & Mask;
  auto sign = [&](uint64_t Value) { return (Value >> (8 * Bytes - 1)) & 1; };
  ArithmeticFlags Flags;
  Flags.Carry = !IsTest && A < B;
  Flags.Zero = Result == 0;
  Flags.Sign = sign(Result);
  Flags.Overflow = !IsTest && sign((A ^ B) & (A ^ Result));
  Flags.Parity = popcount(Result & 0xff) % 2 == 0;
  return Flags.satisfy(Condition);
}
