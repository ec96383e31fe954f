// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile says that a function was called, and nothing of what it did. Its blocks
// may be hot, so it stays whole.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -fno-pie -no-pie %s -Wl,--emit-relocs -o %t
// RUN: echo "0 [unknown] 0 1 work 0 0 1000" > %t.fdata
// RUN: graupel-bolt %t -o %t.o -data=%t.fdata -print-split-decisions > %t.log && FileCheck %s < %t.log
// RUN: %t.o | FileCheck %s --check-prefix=RESULT
// CHECK: work: not split: all blocks hot
// RESULT: 4950
#include <stdio.h>
__attribute__((noinline)) int work(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I) {
    if (Sum < 0)
      puts("impossible");
    Sum += I;
    __asm__("" : "+r"(Sum));
  }
  return Sum;
}
int main(int Argc, char **Argv) {
  printf("%d\n", work(99 + Argc));
  return 0;
}
