// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Code whose control flow is not a tree of ifs: tables of jumps, computed goto,
// tail calls, recursion, calls through pointers and the red zone.
//
// RUN: %exact %s -o %t --builds gcc:pie,gcc:no-pie,clang:pie,clang:no-pie \
// RUN:   --expect case0=1000 case1=1000 case2=1000 case3=1000 case4=2000 step=3000 last=1000 odd=7500 even=6500 one=500 two=1500 leaf=4000
// RUN: %exact %s -o %t.cet --builds gcc:pie,clang:no-pie --runs 1 --flags="-O3 -fcf-protection=full" \
// RUN:   --expect case0=1000 case1=1000 case2=1000 case3=1000 case4=2000 step=3000 last=1000 odd=7500 even=6500 one=500 two=1500 leaf=4000
// RUN: %exact %s -o %t.static --builds clang:static,gcc:static-pie --flags=-O1 \
// RUN:   --expect case0=1000 case4=2000 step=3000 last=1000 odd=7500 even=6500 one=500 two=1500 leaf=4000

#include "units.h"
#include <stdio.h>

UNIT(case0, 10)
UNIT(case1, 11)
UNIT(case2, 12)
UNIT(case3, 13)
UNIT(case4, 14)
UNIT(step, 15)
UNIT(last, 16)
UNIT(one, 17)
UNIT(two, 18)

KEPT void choose(int I) {
  switch (I) {
  case 0:
    return case0();
  case 1:
    return case1();
  case 2:
    return case2();
  case 3:
    return case3();
  case 4:
  case 5:
    return case4();
  }
}

KEPT void interpret(const char *Code) {
  static void *const Labels[] = {&&Step, &&Back, &&End};
  int Loops = 0;
  goto *Labels[(int)*Code];
Step:
  step();
  goto *Labels[(int)*++Code];
Back:
  if (++Loops % 3)
    Code -= 2;
  goto *Labels[(int)*++Code];
End:
  last();
}

KEPT int odd(unsigned N);
KEPT int even(unsigned N) { return N == 0 ? 1 : odd(N - 1); }
KEPT int odd(unsigned N) { return N == 0 ? 0 : even(N - 1); }

static void (*const Pointers[])(void) = {one, two, two, two};

/// Has its variables in the red zone, and flags that live over branches.
KEPT unsigned leaf(unsigned A, unsigned B) {
  volatile unsigned Local[12];
  for (unsigned I = 0; I < 12; ++I)
    Local[I] = A * I ^ B;
  unsigned Sum = 0;
  for (unsigned I = 0; I < 12; ++I)
    Sum += Local[I] > B ? Local[I] : Local[11 - I] + (A < B);
  return Sum;
}

int main(void) {
  int Sum = 0;
  for (int I = 0; I < 6000; ++I)
    choose(I % 6);
  for (int I = 0; I < 1000; ++I) {
    interpret("\0\1\2");
    Sum += even(11) + odd(0);
    if (I % 2)
      Sum += even(1);
  }
  for (int I = 0; I < 2000; ++I)
    Pointers[I % 4]();
  for (unsigned I = 0; I < 4000; ++I)
    Sum = Sum * 31 + leaf(I, 2000);
  printf("%d\n", Sum);
  return 0;
}
