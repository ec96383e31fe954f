// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without relocations each function is written over itself. A hot version that
// is too long for that is not, and who calls its parts would call nothing. So
// there are none.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 %s -o %t
// RUN: graupel-bolt %t -o %t.o -hco -hco-random=1 -hco-growth=1000 -print-hot-cold -verify | FileCheck %s --implicit-check-not="hot version of"
// CHECK: GRAUPEL-INFO: no procedure gets a hot version: the input has no relocations; link it with --emit-relocs
// RUN: %t > %t.before
// RUN: %t.o | diff %t.before -
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))

NOINLINE long rare(long X) { return X * 3 - 1; }

NOINLINE long often(long X) {
  long A = X * 7;
  if (X % 5 == 0)
    A += rare(A) + rare(X);
  return A + X;
}

int main(void) {
  long Sum = 0;
  for (long I = 0; I < 100; ++I)
    Sum += often(I);
  printf("%ld\n", Sum);
  return 0;
}
