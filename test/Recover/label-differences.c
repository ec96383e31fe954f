// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed goto by differences of labels, for which the program has no relocations
// in its tables: GCC's manual recommends it for shared libraries.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --recovers 0 --must-split 0 --train "5" --test "5" --test "40" --flags="-O1 -nostartfiles -fPIE -pie" --flags="-Os -nostartfiles -fPIE -pie"
//
// llvm-bolt breaks the functions that GCC makes of this at -O2: it emits them
// anew, in which instructions become shorter, although it does not know their
// control flow. They have to be left where they are.
// RUN: gcc -O2 -nostartfiles -fPIE -pie -Wl,--emit-relocs %s -o %t.exe
// RUN: %t.exe 40 > %t.expected
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata -lite=1 -skip-funcs=once,interpret
// RUN: %t.i 40 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.fdata -lite=1 -skip-funcs=once,interpret
// RUN: %t.o 40 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.fdata -layout=spike -lite=1 -skip-funcs=once,interpret
// RUN: %t.o 40 | diff %t.expected -
#include "Inputs/start.h"
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE long interpret(const unsigned char *Code, long X) {
  static const int Labels[] = {&&Add - &&Add, &&Double - &&Add, &&Skip - &&Add,
                               &&Call - &&Add, &&End - &&Add};
#define NEXT goto *(&&Add + Labels[*Code++])
  NEXT;
Add:
  X += *Code++;
  NEXT;
Double:
  X = X * 2 % 1000003;
  NEXT;
Skip:
  Code += X & 1;
  NEXT;
Call:
  printf("%ld\n", X);
  if (X > 5000) {
    for (int I = 0; I < 10; ++I)
      X = X * 3 / 2 - I;
  }
  NEXT;
End:
  return X;
}

// One jump, not in a loop.
NOINLINE long once(int Which, long X) {
  static const int Labels[] = {&&A - &&A, &&B - &&A, &&C - &&A};
  goto *(&&A + Labels[Which]);
A:
  return X + 1;
B:
  return X * 3;
C:
  if (X & 1)
    return X ^ 0x55;
  return -X;
}

int main(int Argc, char **Argv) {
  static const unsigned char Codes[3][12] = {
      {0, 7, 1, 1, 4}, {2, 1, 0, 5, 2, 1, 1, 4}, {0, 250, 1, 1, 1, 1, 1, 3, 4}};
  const long Rounds = atol(Argv[1]);
  unsigned long Sum = 0;
  for (long I = 0; I < Rounds; ++I) {
    Sum = Sum * 31 + interpret(Codes[I % (Rounds > 10 ? 3 : 2)], I);
    Sum = Sum * 31 + once(I % 3, I);
  }
  printf("%lu\n", Sum);
  return 0;
}
