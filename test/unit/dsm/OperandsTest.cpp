//===- OperandsTest.cpp - How many bytes an instruction accesses ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions as an assembler writes them, with what they access. Too few bytes
// hide what is missed; too many tell of a neighbor.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Operands.h"
#include <gtest/gtest.h>

using namespace graupel::dsm;

namespace {

struct Case {
  const char *Text;
  const char *Bytes;
  unsigned Size;
};

const Case Cases[] = {
    {"movq (%rdi), %rax", "\x48\x8b\x07", 8},
    {"movl (%rdi), %eax", "\x8b\x07", 4},
    {"movw (%rdi), %ax", "\x66\x8b\x07", 2},
    {"movb (%rdi), %al", "\x8a\x07", 1},
    {"movb %r9b, (%rdi)", "\x44\x88\x0f", 1},
    {"movzbl (%rdi), %eax", "\x0f\xb6\x07", 1},
    {"movswq (%rdi), %rax", "\x48\x0f\xbf\x07", 2},
    {"movslq (%rdi), %rax", "\x48\x63\x07", 4},
    {"addq (%rdx,%rcx,8), %rax", "\x48\x03\x04\xca", 8},
    {"addl $1, (%rdi)", "\x83\x07\x01", 4},
    {"cmpb $0, (%rdi)", "\x80\x3f\x00", 1},
    {"testb $1, (%rdi)", "\xf6\x07\x01", 1},
    {"incl (%rdi)", "\xff\x07", 4},
    {"call *(%rdi)", "\xff\x17", 8},
    {"movl $2, (%rdi)", "\xc7\x07\x02\x00\x00\x00", 4},
    {"movb $2, (%rdi)", "\xc6\x07\x02", 1},
    {"lock xaddq %rax, (%rdi)", "\xf0\x48\x0f\xc1\x07", 8},
    {"lock cmpxchgl %ecx, (%rdi)", "\xf0\x0f\xb1\x0f", 4},
    {"lock cmpxchg16b (%rdi)", "\xf0\x48\x0f\xc7\x0f", 16},
    {"cmovel (%rdi), %eax", "\x0f\x44\x07", 4},
    {"movss (%rdi), %xmm0", "\xf3\x0f\x10\x07", 4},
    {"movsd (%rdi), %xmm0", "\xf2\x0f\x10\x07", 8},
    {"addsd (%rdi), %xmm0", "\xf2\x0f\x58\x07", 8},
    {"movups (%rdi), %xmm0", "\x0f\x10\x07", 16},
    {"movdqu (%rdi), %xmm0", "\xf3\x0f\x6f\x07", 16},
    {"movdqa %xmm0, (%rdi)", "\x66\x0f\x7f\x07", 16},
    {"movhps (%rdi), %xmm0", "\x0f\x16\x07", 8},
    {"movq (%rdi), %xmm0", "\xf3\x0f\x7e\x07", 8},
    {"movq %xmm0, (%rdi)", "\x66\x0f\xd6\x07", 8},
    {"cvtdq2pd (%rdi), %xmm0", "\xf3\x0f\xe6\x07", 8},
    {"pshufb (%rdi), %xmm0", "\x66\x0f\x38\x00\x07", 16},
    {"vmovdqu (%rdi), %xmm0", "\xc5\xfa\x6f\x07", 16},
    {"vmovdqu (%rdi), %ymm0", "\xc5\xfe\x6f\x07", 32},
    {"vmovdqu (%r9), %ymm0", "\xc4\xc1\x7e\x6f\x01", 32},
    {"vmovsd (%rdi), %xmm0", "\xc5\xfb\x10\x07", 8},
    {"vpaddq (%rdi), %ymm0, %ymm0", "\xc5\xfd\xd4\x07", 32},
    {"vmovdqu64 (%rdi), %zmm0", "\x62\xf1\xfe\x48\x6f\x07", 64},
    {"fldt (%rdi)", "\xdb\x2f", 10},
};

TEST(Operands, Sizes) {
  for (const Case &C : Cases) {
    Operands O = operandsOf(reinterpret_cast<const uint8_t *>(C.Bytes));
    EXPECT_EQ(O.Bytes, C.Size) << C.Text;
    EXPECT_EQ(O.Where, Operands::One) << C.Text;
  }
}

TEST(Operands, OfStringInstructions) {
  auto Of = [](const char *Bytes) {
    return operandsOf(reinterpret_cast<const uint8_t *>(Bytes));
  };
  Operands Copy = Of("\xf3\x48\xa5"); // rep movsq
  EXPECT_EQ(Copy.Where, Operands::Both);
  EXPECT_EQ(Copy.Bytes, 8u);
  EXPECT_TRUE(Copy.Repeated);
  EXPECT_EQ(Of("\xa4").Bytes, 1u); // movsb
  EXPECT_FALSE(Of("\xa4").Repeated);
  EXPECT_EQ(Of("\xf3\xa6").Where, Operands::Compared); // repe cmpsb
  EXPECT_EQ(Of("\xf3\xab").Where, Operands::Target);   // rep stosl
  EXPECT_EQ(Of("\xac").Where, Operands::Source);       // lodsb
}

TEST(Operands, ManyAddresses) {
  // vpgatherqq %ymm1, (%rdi,%ymm0,8), %ymm2
  const uint8_t Gather[] = {0xc4, 0xe2, 0xf5, 0x91, 0x14, 0xc7};
  EXPECT_EQ(operandsOf(Gather).Where, Operands::Scattered);
}

} // namespace
