// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lazy stub of the PLT pushes the index of its entry in .rela.plt, so entries
// keep their order. The linker puts resolvers of ifuncs last, whatever their
// places are.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O1 %s -Wl,--emit-relocs -Wl,-z,lazy -o %t
// RUN: graupel-bolt %t -o %t.plain
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: rm -f %t.gprofile && %t.i > %t.counted && graupel-bolt %t -o %t.faster -data=%t.gprofile
// RUN: %t > %t.expected
// RUN: %t.plain | cmp - %t.expected
// RUN: cmp %t.counted %t.expected
// RUN: %t.faster | cmp - %t.expected
//
// What points to code is brought up to date all the same.
// RUN: llvm-readelf -rW %t | sed -n '/\.rela\.plt/,/^$/p' | awk 'NF > 4 {print $1, $3}' > %t.order
// RUN: llvm-readelf -rW %t.faster | sed -n '/\.rela\.plt/,/^$/p' | awk 'NF > 4 {print $1, $3}' | cmp - %t.order
// RUN: graupel-bolt %t -o %t.verified -data=%t.gprofile -verify | FileCheck %s
// CHECK: graupel-bolt: verified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int addOne(int X) { return X + 1; }
static int (*choose(void))(int) { return addOne; }
int chosen(int X) __attribute__((ifunc("choose")));

int main(int argc, char **argv) {
  char Text[20];
  sprintf(Text, "%d", chosen(argc));
  setenv("GRAUPEL_TEXT", Text, 1);
  unsetenv("GRAUPEL_NOTHING");
  puts(getenv("GRAUPEL_TEXT"));
  putchar('\n');
  printf("%ld %d\n", strtol(Text, 0, 10), atoi(Text) + abs(-argc));
  return fflush(stdout);
}
