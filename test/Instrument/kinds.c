// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Every kind of program by both compilers, run twice.
//
// RUN: %exact %s -o %t --args 1000 --expect unit=1000 even=500 main=1 never=0
// RUN: %exact %s -o %t.atomic --bolt=-atomic --builds gcc:pie,clang:no-pie,gcc:static \
// RUN:   --args 1000 --expect unit=1000 even=500 main=1

#include "units.h"
#include <stdio.h>
#include <stdlib.h>

UNIT(even, 1)
UNIT(never, 2)

KEPT int unit(int I) {
  if (I % 2 == 0)
    even();
  return I * 3;
}

int main(int Count, char **Arguments) {
  int Sum = 0;
  for (int I = 0; I < atoi(Arguments[1]); ++I)
    Sum += unit(I);
  if (Sum == 1)
    never();
  printf("%d\n", Sum);
  return Sum % 7;
}
