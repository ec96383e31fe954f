//===- unit/ComparisonTest.cpp --------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HotCold/Comparison.h"
#include "gtest/gtest.h"
#include <vector>

using namespace graupel;

namespace {

constexpr unsigned Equal = 4, NotEqual = 5, Above = 7;

#ifdef __x86_64__
// Below the red zone.
#define FLAGS_OF(INSTRUCTION)                                                  \
  __asm__("lea -128(%%rsp), %%rsp\n\t" INSTRUCTION                             \
          " %2, %1\n\tpushfq\n\tpopq %0\n\tlea 128(%%rsp), %%rsp"              \
          : "=&r"(Flags)                                                       \
          : "q"(A), "q"(B)                                                     \
          : "cc", "memory")

/// The flags that the processor computes.
template <typename T> uint64_t flagsOf(bool IsTest, T A, T B) {
  uint64_t Flags;
  if (IsTest)
    FLAGS_OF("test");
  else
    FLAGS_OF("cmp");
  return Flags;
}

uint64_t flagsOf(const Comparison &C) {
  const uint64_t A = C.Left.Number, B = C.Right.Number;
  switch (C.Bytes) {
  case 1:
    return flagsOf<uint8_t>(C.IsTest, A, B);
  case 2:
    return flagsOf<uint16_t>(C.IsTest, A, B);
  case 4:
    return flagsOf<uint32_t>(C.IsTest, A, B);
  default:
    return flagsOf<uint64_t>(C.IsTest, A, B);
  }
}

bool satisfy(uint64_t Flags, unsigned Condition) {
  const bool Carry = Flags & 1, Parity = Flags & 4, Zero = Flags & 0x40,
             Sign = Flags & 0x80, Overflow = Flags & 0x800;
  switch (Condition / 2) {
  case 0:
    return Overflow ^ (Condition & 1);
  case 1:
    return Carry ^ (Condition & 1);
  case 2:
    return Zero ^ (Condition & 1);
  case 3:
    return (Carry || Zero) ^ (Condition & 1);
  case 4:
    return Sign ^ (Condition & 1);
  case 5:
    return Parity ^ (Condition & 1);
  case 6:
    return (Sign != Overflow) ^ (Condition & 1);
  default:
    return (Zero || Sign != Overflow) ^ (Condition & 1);
  }
}

TEST(Comparison, ConstantsDoWhatTheProcessorDoes) {
  const std::vector<uint64_t> Numbers = {
      0,          1,          2,           0x7f,        0x80,
      0x81,       0xff,       0x100,       0x7fff,      0x8000,
      0xffff,     0x10000,    0x7fffffff,  0x80000000,  0xffffffff,
      1ULL << 32, 1ULL << 63, ~0ULL,       ~0ULL << 31, (1ULL << 63) - 1,
      0x55aa,     0xfffffffd, 0x123456789, ~0ULL - 4};
  for (uint64_t A : Numbers)
    for (uint64_t B : Numbers)
      for (unsigned Bytes : {1, 2, 4, 8})
        for (bool IsTest : {false, true}) {
          const Comparison C{IsTest, Bytes, KnownValue::constant(A),
                             KnownValue::constant(B)};
          const uint64_t Flags = flagsOf(C);
          for (unsigned Condition = 0; Condition < 16; ++Condition)
            EXPECT_EQ(C.implies(Condition), satisfy(Flags, Condition))
                << A << ' ' << B << ' ' << Bytes << ' ' << IsTest << ' '
                << Condition;
        }
}
#endif

TEST(Comparison, OnlyTheWholeOfAFrameAddressIsKnown) {
  const KnownValue Frame = KnownValue::frame(), Null = KnownValue::constant(0);
  const Comparison Test{true, 8, Frame, Frame, /*WithItself=*/true};
  EXPECT_EQ(Test.implies(Equal), false);
  EXPECT_EQ(Test.implies(NotEqual), true);
  EXPECT_EQ(Test.implies(Above), std::nullopt);
  EXPECT_EQ((Comparison{false, 8, Frame, Null}).implies(Equal), false);
  for (unsigned Bytes : {1, 2, 4})
    EXPECT_EQ((Comparison{true, Bytes, Frame, Frame, true}).implies(Equal),
              std::nullopt);
  // Two addresses may have no bit in common, and may be the same.
  EXPECT_EQ((Comparison{true, 8, Frame, Frame}).implies(Equal), std::nullopt);
  EXPECT_EQ((Comparison{false, 8, Frame, Frame}).implies(Equal), std::nullopt);
  EXPECT_EQ(
      (Comparison{false, 8, Frame, KnownValue::constant(1)}).implies(Equal),
      std::nullopt);
  EXPECT_EQ((Comparison{true, 8, {}, {}, true}).implies(Equal), std::nullopt);
}

TEST(KnownValue, Meet) {
  const KnownValue Frame = KnownValue::frame(), One = KnownValue::constant(1);
  EXPECT_EQ(One.meet(One), One);
  EXPECT_EQ(One.meet(KnownValue::constant(2)), KnownValue());
  EXPECT_EQ(One.meet(Frame), KnownValue());
  EXPECT_EQ(Frame.meet(KnownValue()), KnownValue());
  EXPECT_EQ(Frame.meet(Frame.plus(8)), Frame.plus(8));
  EXPECT_EQ(Frame.plus(8).meet(Frame), Frame.plus(8));
}

TEST(KnownValue, Sums) {
  EXPECT_EQ(KnownValue::constant(1).plus(-2), KnownValue::constant(~0ULL));
  EXPECT_EQ(KnownValue::constant(~0ULL).lowerHalf(),
            KnownValue::constant(0xffffffff));
  EXPECT_EQ(KnownValue::frame().lowerHalf(), KnownValue());
  EXPECT_TRUE(KnownValue::frame().plus(-8).isFrame());
  // What goes on like this leaves the frame.
  KnownValue Walking = KnownValue::frame();
  for (unsigned I = 0; I < 20; ++I)
    Walking = Walking.plus(8);
  EXPECT_EQ(Walking, KnownValue());
}

} // namespace
