// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AL says how many vector registers hold arguments, to functions that take any
// number of them, whoever calls them: it is an argument, too.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "4000 0" "500 7" "300 1" | FileCheck %s
// CHECK: hot version of forward
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))

long Rare;

NOINLINE double sum(long Count, ...) {
  va_list List;
  double Result = 0;
  va_start(List, Count);
  if (Count > 9)
    Rare += Count;
  for (long I = 0; I < Count; ++I)
    Result += I % 2 ? va_arg(List, double) : (double)va_arg(List, long);
  va_end(List);
  return Result;
}

NOINLINE double forward(long X, long IsRare, double Y) {
  double A = Y * 3;
  long B = X + 1;
  if (IsRare) {
    double C = sum(10, X, A, X, A, X, A, B, Y, B, Y);
    return sum(6, X, A, B, Y, X, C) + A + B;
  }
  return A + B;
}

NOINLINE double last(long X, long IsRare, double Y) {
  if (IsRare)
    Rare += (long)sum(2, X, Y) + (long)sum(2, X, Y);
  return sum(4, X, Y, 3L, Y);
}

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  double Sum = 0;
  for (long I = 1; I <= Times; ++I) {
    const long IsRare = Every && I % Every == 0;
    Sum += forward(I, IsRare, I * 0.5) + last(I, IsRare, I * 0.25);
  }
  printf("%.2f %ld\n", Sum, Rare);
}
