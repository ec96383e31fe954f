// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions across the border of a shared library, in both directions; once the
// program is optimized, once the library.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --library %S/Inputs/thrower.cpp --out %t --train 0 --test 0 --test 1 --test 2 --test 3
#include "Inputs/thrower.h"
#include <cstdio>
#include <cstdlib>

static int Mode;

__attribute__((noinline)) int callback(int X) {
  if (Mode == 2 && X % 6 == 1)
    throw Problem{X};
  return X + 1;
}

__attribute__((noinline)) int use(int X) {
  try {
    return throwing(X, Mode == 1) + throughLibrary(callback, X);
  } catch (const Problem &P) {
    printf("[problem %d] ", P.Value);
    if (Mode == 3)
      throw;
    return P.Value;
  }
}

int main(int, char **Argv) {
  Mode = atoi(Argv[1]);
  int Sum = 0;
  for (int I = 0; I < 50; ++I) {
    try {
      Sum = Sum * 7 + use(I);
    } catch (...) {
      printf("[out] ");
    }
  }
  printf("%d\n", Sum);
  return 0;
}
