// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that call each other and become parts of each other: what is inlined
// later is what they have become, not what they were.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "40000 200" "500 7" "300 1" "1000 0" | FileCheck %s
// CHECK: hot version of even
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))

long Rare;
long odd(long X, long IsRare);

NOINLINE long note(long X, long Y) {
  Rare += X;
  return labs(X) * 3 + Y;
}

NOINLINE long even(long X, long IsRare) {
  long A = X * 5;
  if (IsRare) {
    long B = odd(X + 1, 0), C = note(A, B);
    return odd(A, 0) + odd(B, 0) + B + C * A;
  }
  return A + 1;
}

NOINLINE long odd(long X, long IsRare) {
  return even(X, IsRare) * 3;
}

NOINLINE long third(long X, long IsRare) {
  long A = even(X, IsRare), B = odd(X + 2, IsRare);
  return A ^ even(A, 0) ^ B;
}

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0;
  for (long I = 1; I <= Times; ++I) {
    const long IsRare = Every && I % Every == 0;
    Sum = Sum * 31 + third(I, IsRare) + odd(I, IsRare);
  }
  printf("%ld %ld\n", Sum, Rare);
}
