// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc moves cases that end in a cold call into the function's cold part, and
// the switch's table leads there: cases that come back, that return, that never
// do, and holes. What the case needs is in registers, and flags.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --flags="-O2" --flags="-O2 -no-pie -fno-pie" --flags="-O3 -fno-omit-frame-pointer" --flags="-Os -freorder-blocks-and-partition" --train "1 2000" --test "1 2000" --test "7 3000"
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.out -v=1 | FileCheck %s
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata | FileCheck %s --check-prefix=COUNTED
// RUN: rm -f %t.fdata && %t.i 7 3000
// RUN: graupel-bolt export %t.fdata -o - | FileCheck %s --check-prefix=COUNTS
// CHECK: GRAUPEL-INFO: accepted 1 function with a switch that leads to its cold part
// CHECK: optimized {{([0-9]+) of \1}} functions
// COUNTED-NOT: not instrumented
//
// All of the 3000 calls reach the switch; the table leads 557 of them to the part.
// COUNTS-DAG: 1 main {{[0-9a-f]+}} 1 step 0 0 3000
// COUNTS-DAG: step.cold/1 0 0 190
// COUNTS-DAG: 1 note/1 0 0 190
// COUNTS-DAG: 1 note/1 0 0 180
// COUNTS-DAG: 1 note/1 0 0 187
#include <stdio.h>
#include <stdlib.h>

static long Odd;

__attribute__((cold, noinline)) static void note(long X) { Odd += X; }

__attribute__((noinline, noclone)) long step(long A, long B, unsigned Kind) {
  long C = A * 3 + B, D = A ^ B;
  switch (Kind) {
  case 0:
    return C + D;
  case 1:
    A += C;
    break;
  case 2:
    note(C); // Comes back.
    A += D;
    break;
  case 3:
    B -= D;
    break;
  case 4:
    note(D);
    return C - B; // Returns from there.
  case 5:
    A = B * D;
    break;
  case 6:
    if (C == 12345)
      abort();
    note(A);
    break;
  case 8:
    B += C * D;
    break;
  default:
    note(1);
    exit(3);
  }
  return A * 7 + B * 5 + C + D;
}

int main(int Argc, char **Argv) {
  unsigned long Seed = strtoul(Argv[1], NULL, 10);
  long Sum = 0;
  (void)Argc;
  for (long I = 0, N = atol(Argv[2]); I < N; ++I) {
    Seed = Seed * 6364136223846793005 + 1442695040888963407;
    unsigned Kind = Seed >> 60;
    static const unsigned char Kinds[16] = {0, 1, 3, 5, 8, 0, 1, 3,
                                            5, 8, 1, 3, 5, 2, 4, 6};
    Sum = Sum * 31 + step(Sum, I, Kinds[Kind]);
  }
  printf("%ld %ld\n", Sum, Odd);
  return 0;
}
