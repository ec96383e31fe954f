// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The large code model: `movabs $_GLOBAL_OFFSET_TABLE_-.L, %r11` behind
// `lea .L(%rip), %rbx`. The number counts from .L, and no code can be put
// between the two. Calls are made by distances from the GOT, which BOLT does not
// update.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --must-split 0 --train "5" --test "40" --flags="-O2 -no-pie -mcmodel=large" --flags="-O1 -fPIE -pie -mcmodel=large"
// RUN: gcc -O2 -no-pie -mcmodel=large -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK-DAG: GRAUPEL-INFO: main left as it is: an operand counts from a label in it
// CHECK-DAG: GRAUPEL-INFO: leaf left as it is: a number that is never updated leads to it
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int leaf(int A, int B) { return A * 7 - B; }

int main(int Argc, char **Argv) {
  int Sum = 0;
  for (int I = 0; I < atoi(Argv[1]); ++I)
    Sum += leaf(I, Sum);
  printf("%d\n", Sum);
  return 0;
}
