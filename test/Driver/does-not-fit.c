// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without relocations the new code has to fit in the place of the old. Calls past
// the PLT are longer; a function without padding behind it is skipped for that
// reason, and not for another.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -falign-functions=1 -fcf-protection=none -Wl,-z,lazy %s -o %t.exe
// RUN: %t.exe > %t.expected
// RUN: graupel-bolt %t.exe -o %t.o -plt=all -v=1 -verify | FileCheck %s
// RUN: %t.o | cmp - %t.expected
// CHECK: graupel-bolt: skipped
// CHECK: graupel-bolt: {{ *}}greet (its new code does not fit in its place)
// CHECK-NOT: one of the steps
//
// Where there is room it is not skipped.
// RUN: graupel-bolt %t.exe -o %t.o -plt=none -v=1 -verify | FileCheck %s --check-prefix=FITS
// RUN: %t.o | cmp - %t.expected
// FITS: graupel-bolt: optimized
// FITS-NOT: greet (
#include <stdio.h>

__attribute__((noinline)) void greet(int N) {
  puts("one");
  if (N > 1)
    puts("two");
  puts("three");
}

__attribute__((noinline)) void part(int N) {
  if (N)
    puts("end");
}

int main(int Argc, char **Argv) {
  greet(Argc + 1);
  part(Argc);
  return 0;
}
