// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks that grow: __morestack returns to behind the `ret` behind its call.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --must-split 0 --train "20" --test "1500" --flags="-O2 -fsplit-stack" --flags="-O0 -fsplit-stack"
// RUN: gcc -O2 -fsplit-stack -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK: GRAUPEL-INFO: sum left as it is: a callee does not return to behind the call
// CHECK: {{[0-9]+}} have callees that do not return to behind the call
// The same without relocations, where functions stay at their addresses.
// RUN: gcc -O2 -fsplit-stack %s -o %t.plain
// RUN: graupel-bolt %t.plain -o %t.o -print-protected | FileCheck %s
// RUN: %t.plain 1500 > %t.expected && %t.o 1500 > %t.said && cmp %t.said %t.expected
// And without symbols, with the linker that calls another function then.
// RUN: strip %t.plain -o %t.bare
// RUN: graupel-bolt %t.bare -allow-stripped -o %t.o -print-protected -stress-layout=1 | FileCheck %s --check-prefix=BARE
// BARE: left as it is: a callee does not return to behind the call
// RUN: %t.o 1500 > %t.said && cmp %t.said %t.expected
// RUN: gcc -O2 -fsplit-stack -fuse-ld=gold %s -o %t.plain && strip %t.plain -o %t.bare
// RUN: graupel-bolt %t.bare -allow-stripped -o %t.o -print-protected -stress-layout=1 | FileCheck %s --check-prefix=BARE
// RUN: %t.o 1500 > %t.said && cmp %t.said %t.expected
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) long sum(int N) {
  volatile char Room[4000];
  Room[N % 4000] = N;
  return N ? sum(N - 1) + Room[N % 4000] : 0;
}

int main(int Argc, char **Argv) {
  printf("%ld\n", sum(atoi(Argv[1])));
  return 0;
}
