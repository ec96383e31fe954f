// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program keeps flags in the low bits of addresses of functions that a library
// exports, though the library does not take them itself.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t && mkdir %t
// RUN: gcc -DPROGRAM -c %s -o %t/main.o
// RUN: %modes %t/main.o --library %s --out %t/x | FileCheck %s
// CHECK: 10 passed, 0 failed
#ifdef PROGRAM
#include <stdint.h>
#include <stdio.h>

int f1(int), f2(int), f3(int), f4(int), f5(int), f6(int), f7(int);
static int (*volatile Functions[])(int) = {f1, f2, f3, f4, f5, f6, f7};
static const int Alignments[] = {256, 64, 4096, 16, 16, 16, 32};

int main(void) {
  long Sum = 0;
  for (int I = 0; I < 9999; ++I)
    Sum = Sum * 3 + Functions[I % 7](I & 15);
  printf("%ld rests", Sum);
  for (int I = 0; I < 7; ++I)
    printf(" %d", (int)((uintptr_t)Functions[I] & (Alignments[I] - 1)));
  puts("");
  return 0;
}
#else
#define FUNCTION(N, K)                                                         \
  __attribute__((aligned(K), noinline)) int f##N(int X) {                      \
    return X > 5 ? X * K : X == 3 ? 7 : X + N;                                 \
  }
FUNCTION(1, 256)
FUNCTION(2, 64)
FUNCTION(3, 4096)
FUNCTION(4, 16)
FUNCTION(5, 16)
FUNCTION(6, 16)
FUNCTION(7, 32)
#endif
