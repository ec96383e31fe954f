// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What longjmp brings back are the registers of setjmp's caller, wherever hot and
// cold versions in between keep theirs.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "4000 0" "500 7" "300 1" | FileCheck %s
// CHECK: hot version of middle
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))

jmp_buf Back;
long Rare;

NOINLINE long leave(long X, long How) {
  Rare += X;
  if (How == 2)
    longjmp(Back, (int)(X & 63) + 1);
  return X * 5;
}

NOINLINE long middle(long X, long IsRare) {
  long A = X * 7;
  if (IsRare) {
    long B = leave(A, 1), C = leave(A + B, IsRare);
    return leave(A, 1) + B + C + A;
  }
  return A + 1;
}

NOINLINE long outer(long X, long IsRare) {
  volatile long Before = X * 3;
  long Result = setjmp(Back);
  if (Result)
    return Result + Before;
  return middle(X, IsRare) + middle(X + 1, 0) + Before;
}

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0;
  for (long I = 1; I <= Times; ++I) {
    long Own = I * 11;
    Sum = Sum * 31 + outer(I, Every && I % Every == 0 ? 1 + I % 2 : 0) + Own;
  }
  printf("%ld %ld\n", Sum, Rare);
}
