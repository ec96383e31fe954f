// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC's nested functions can jump into the function around them. The address of
// the label is `function + n` for BOLT, which goes wrong as soon as the code in
// between changes.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --must-split 0 --train "6" --test "6" --test "41" --flags="-O0 -fPIE -pie" --flags="-O2 -fPIE -pie" --flags="-O2 -fno-pie -no-pie"
//
// It says what it leaves alone: in short, and with -v=1 or -print-protected each
// function with the reason.
// RUN: gcc -O2 -w -fPIE -pie -Wl,--emit-relocs %s -o %t.exe
// RUN: %t.exe 41 > %t.expected
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefixes=EACH,SUM
// RUN: graupel-bolt %t.exe -o %t.o -v=1 2>&1 | FileCheck %s --check-prefixes=EACH,SUM
// RUN: graupel-bolt %t.exe -o %t.o | FileCheck %s --check-prefix=SHORT --implicit-check-not=outer
// EACH: GRAUPEL-INFO: outer{{.*}} left as it is: a code address inside it escapes
// SUM: GRAUPEL-INFO: {{1 function|2 functions}} left as {{it is|they are}}: 1 has a code address that escapes
// SHORT: graupel-bolt: skipped {{[12]}} function{{s?}}: -v=1
// RUN: %t.o 41 | diff %t.expected -
//
// The others are optimized.
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata
// RUN: %t.i 41 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.fdata -print-chains | FileCheck %s --check-prefix=OTHERS --implicit-check-not="block order of outer"
// OTHERS: block order of other
//
// Without relocations the address is in the operand alone.
// RUN: gcc -O2 -w -fno-pie -no-pie %s -o %t.bare
// RUN: graupel-bolt %t.bare -o %t.o -print-protected | FileCheck %s --check-prefix=BARE
// BARE: GRAUPEL-INFO: outer{{.*}} left as it is: a number that is never updated leads to it
// RUN: %t.o 41 | diff %t.expected -
//
// The same if BOLT does not even look at the function that knows the address.
// RUN: graupel-bolt -v=1 %t.exe -o %t.o -data=%t.fdata -skip-funcs='leave.*' | FileCheck %s --check-prefix=SUM
// RUN: %t.o 41 | diff %t.expected -
//
// If it may not stay, there is no output.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %refuse graupel-bolt %t.exe -o %t.dir/o -use-old-text=1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: outer{{.*}} has to stay where it is
//
// llvm-bolt's pipeline stays as it is.
// RUN: graupel-bolt %t.exe -o %t.stock -stock-pipeline | FileCheck %s --check-prefix=STOCK --implicit-check-not="left as"
// STOCK: BOLT-INFO
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE int other(int N) {
  int Steps = 0;
  while (N > 1 && Steps < 50) {
    N = N % 2 ? 3 * N + 1 : N / 2;
    if (N % 1000 == 999)
      printf("999\n");
    ++Steps;
  }
  return Steps;
}

NOINLINE long outer(long N) {
  __label__ Out, Again;
  volatile long Sum = 0, Rounds = 0;
  NOINLINE void leave(long Depth) {
    if (Depth == 0) {
      if (Rounds < 3)
        goto Again;
      goto Out;
    }
    Sum += other(Depth);
    leave(Depth - 1);
    Sum -= 1000;
  }
  for (long I = 0; I < 2; ++I)
    Sum += I * N;
Again:
  ++Rounds;
  if (Rounds % 2)
    Sum += 7;
  leave(N % 9);
  Sum = -1;
Out:
  return Sum * 10 + Rounds;
}

int main(int Argc, char **Argv) {
  const long Rounds = atol(Argv[1]);
  for (long I = 0; I < Rounds; ++I)
    printf("%ld\n", outer(I));
  return 0;
}
