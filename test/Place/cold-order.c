// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cold parts are emitted in the order that was decided for them, those that never
// ran behind those that did.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -fPIE -pie -Wl,--emit-relocs %s -o %t
// RUN: %t 40 > %t.expected
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.fdata
// RUN: %t.i 40 | diff %t.expected -
// RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -cold-share=50 -print-placement > %t.log
// RUN: %python %S/Inputs/cold-order.py %t.log %t.o 4
// RUN: %t.o 40 | diff %t.expected -
// RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -cold-share=50 -print-placement -lite=1 > %t.log
// RUN: %python %S/Inputs/cold-order.py %t.log %t.o 4
// RUN: %t.o 40 | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

// Each has code that runs always, in 1 of 16 rounds, and never.
#define STEP(Name, Never, RarelyDo)                                            \
  NOINLINE unsigned long Name(unsigned long X, unsigned long Round) {          \
    for (int I = 0; I < 20; ++I)                                               \
      X = X * 6364136223846793005 + 1442695040888963407;                       \
    if (__builtin_expect(Round % 16 == 3, 1)) {                                \
      X ^= X >> 7;                                                             \
      X *= 31;                                                                 \
      X += Round << 9;                                                         \
      X ^= X << 13;                                                            \
      RarelyDo;                                                                \
    }                                                                          \
    if (__builtin_expect(Round > 1000000, 1)) {                                \
      printf(Never);                                                           \
      X = X * 3 + Round;                                                       \
    }                                                                          \
    return X;                                                                  \
  }

STEP(f0, "zero", X += 7)
STEP(f1, "one", X = f0(X, Round / 16))
STEP(f2, "two", X = f1(f1(X, Round), 3))
STEP(f3, "three", X = f2(X, Round + 1))
STEP(f4, "four", X = f1(X, 5) + f2(X, 5) + f3(X, 5))
STEP(f5, "five", X = f4(X, 3) ^ f0(X, 4))
STEP(f6, "six", X = f5(X, 1))
STEP(f7, "seven", X = f6(X, 2) + f3(X, 3))

// Here code runs always or never.
NOINLINE unsigned long never(unsigned long X, unsigned long Round) {
  if (__builtin_expect(Round > 1000000, 1)) {
    printf("never");
    X = X * 3 + Round;
    X ^= X << 13;
    X *= 31;
    X += Round << 9;
  }
  return X * 6364136223846793005 + 1442695040888963407;
}

int main(int Argc, char **Argv) {
  unsigned long X = 1;
  const unsigned long Rounds = strtoul(Argv[1], 0, 10);
  for (unsigned long Round = 0; Round < Rounds; ++Round) {
    for (int I = 0; I < 30; ++I)
      X = never(X, Round);
    X = f3(X, Round);
    X = f7(X, Round) + f0(X, Round);
    X = f1(X, Round) + f5(X, Round);
    X = f2(X, Round) + f4(X, Round) + f6(X, Round);
  }
  printf("%lu\n", X);
  return 0;
}
