// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where functions keep their places, those that the compiler has split are skipped, and
// that is the reason that is told.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -freorder-blocks-and-partition %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -verify -v=1 2>&1 | FileCheck %s
// RUN: %t.o
// CHECK: graupel-bolt: skipped {{[0-9]+}} functions:
// CHECK-DAG: graupel-bolt: checked (the compiler split it, and functions keep their places)
// CHECK-DAG: graupel-bolt: checked.cold{{.*}} (the compiler split it, and functions keep their places)
// CHECK: functions kept their places, because the program refers to etext
#include <stdio.h>
#include <stdlib.h>
extern char etext;
__attribute__((cold, noinline)) static void refuse(int I) {
  fprintf(stderr, "%d\n", I);
}
__attribute__((noinline)) int checked(int I) {
  if (I > 1000) {
    refuse(I);
    refuse(I + 1);
    return 1;
  }
  return I * 3;
}
int main(int Count, char **Arguments) {
  return checked(Count) + ((char *)main > &etext) != 3;
}
