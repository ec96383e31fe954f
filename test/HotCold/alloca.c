// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frames whose size is only known when they are made, in the frequent part, in the
// rare one, and in both.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "4000 0" "500 7" "300 1" | FileCheck %s
// RUN: %hot-program %s %t "4000 0" "500 7" "300 1" -flags=-fno-omit-frame-pointer | FileCheck %s
// CHECK-DAG: {{^}}{{(hot version of )?}}rarely
// CHECK-DAG: {{^}}{{(hot version of )?}}always
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noipa))

long Rare;
NOINLINE long fill(char *At, long Size) {
  long Sum = 0;
  memset(At, (int)Size, Size);
  for (long I = 0; I < Size; ++I)
    Sum += At[I];
  Rare += Sum;
  return Sum;
}

NOINLINE long rarely(long X, long IsRare) {
  long A = X + 7;
  if (IsRare) {
    char *P = alloca(X % 100 + 8);
    long B = fill(P, X % 100 + 8);
    return fill(P, 4) + A + B + (((long)P & 15) == 0);
  }
  return A * 3;
}

NOINLINE long always(long X, long IsRare) {
  volatile char *P = alloca(X % 64 + 8);
  P[0] = (char)X;
  long A = X + 7;
  if (IsRare) {
    long B = fill((char *)P, X % 64 + 8), C = fill((char *)P, 3);
    return A + B * C + P[1];
  }
  return A + P[0];
}

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0;
  for (long I = 1; I <= Times; ++I) {
    const long IsRare = Every && I % Every == 0;
    Sum = Sum * 31 + rarely(I, IsRare) + always(I, IsRare);
  }
  printf("%ld %ld\n", Sum, Rare);
}
