// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly that puts code without a label into .text.unlikely, which linkers
// put first. Nobody stripped this program; the message says what it may be, and
// with such a label it is optimized.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t
// RUN: %refuse graupel-bolt %t -o %t.d/out | FileCheck %s
// CHECK: begins with code that has a relocation, at 0x{{[0-9a-f]+}}, but no symbol: it was stripped, or is assembly without a label in a section of its own; give the program as it was linked, or that assembly a global label
// RUN: gcc -O2 -Wl,--emit-relocs "-DLABEL=\".globl rare; rare:\"" %s -o %t
// RUN: graupel-bolt %t -o %t.o -verify
// RUN: %t > %t.before && %t.o | diff %t.before -
#include <stdio.h>

#ifndef LABEL
#define LABEL
#endif

__attribute__((noinline)) int work(int X) {
  int Result;
  __asm__ volatile("mov %1, %0\n"
                   "test $7, %0\n"
                   "jz 1f\n"
                   "2: add $1, %0\n"
                   ".pushsection .text.unlikely, \"ax\", @progbits\n" LABEL "\n"
                   "1: lea 100(%0), %0\n"
                   "jmp 2b\n"
                   ".popsection"
                   : "=&r"(Result)
                   : "r"(X));
  return Result;
}

int main(void) {
  for (int I = 0; I < 10; ++I)
    printf("%d\n", work(I));
  return 0;
}
