// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs keep flags in the low bits of addresses of functions: in each mode a
// function is as aligned as it was, by default or by an attribute, also where it is
// the first of its section or needs no padding. One that nobody takes the address of
// is not.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t && mkdir %t
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t/p && %t/p > %t/expected
// RUN: graupel-bolt %t/p -o %t/q -verify && %t/q | diff %t/expected -
// RUN: graupel-bolt %t/p -o %t/n -icf=none && %t/n | diff %t/expected -
// RUN: graupel-bolt %t/p -o %t/i -instrument && %t/i | diff %t/expected -
// RUN: graupel-bolt %t/p -o %t/g -data=%t/i.gprofile && %t/g | diff %t/expected -
// RUN: graupel-bolt %t/p -o %t/s -data=%t/i.gprofile -layout=spike && %t/s | diff %t/expected -
// RUN: FileCheck %s < %t/expected
// CHECK: rests 0 0 0 0 0 0 0 0 0
#include <stdint.h>
#include <stdio.h>

#define FUNCTION_IN(N, K, SECTION)                                             \
  __attribute__((aligned(K), noinline, section(SECTION))) int f##N(int X) {    \
    return X > 5 ? X * K : X == 3 ? 7 : X + N;                                 \
  }
#define FUNCTION(N, K) FUNCTION_IN(N, K, ".text")
FUNCTION(1, 64)
FUNCTION(2, 256)
FUNCTION(3, 4096)
FUNCTION(4, 16)
FUNCTION(5, 128)
FUNCTION(6, 32)
FUNCTION(7, 1024)
FUNCTION_IN(8, 512, "alone")
// There is next to no padding before f9.
__asm__(".section full, \"ax\"\n"
        ".p2align 9\n"
        ".type before, @function\n"
        "before: .fill 504, 1, 0x90\n"
        "  ret\n"
        ".size before, . - before\n"
        ".p2align 9\n"
        ".type f9, @function\n"
        "f9: leal 5(%rdi), %eax\n"
        "  ret\n"
        ".size f9, . - f9\n"
        ".previous\n");
int f9(int X);
static int (*Functions[])(int) = {f1, f2, f3, f4, f5, f6, f7, f8, f9};
static const int Alignments[] = {64, 256, 4096, 16, 128, 32, 1024, 512, 512};

int main(void) {
  uintptr_t Tagged[9];
  for (int I = 0; I < 9; ++I)
    Tagged[I] = (uintptr_t)Functions[I] | (uintptr_t)(I + 1);
  long Sum = 0;
  for (int I = 0; I < 9999; ++I) {
    const uintptr_t Of = Tagged[I % 9];
    Sum = Sum * 3 + (long)(Of & 15) + ((int (*)(int))(Of & ~15ul))(I & 15);
  }
  printf("%ld rests", Sum);
  for (int I = 0; I < 9; ++I)
    printf(" %d", (int)((uintptr_t)Functions[I] & (Alignments[I] - 1)));
  puts("");
  return 0;
}
