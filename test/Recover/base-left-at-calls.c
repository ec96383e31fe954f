// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A case calls something while the register of the table, which may be one of
// parameters, still holds its address: nobody reads it there. The switch is
// understood, in a function with a fixed and one with a variable number of
// arguments.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -print-cfg -print-only=count -v=1 | FileCheck %s
// CHECK: Binary Function "count"
// CHECK: IsSimple : 1
// RUN: graupel-bolt %t -o %t.o -v=1 | FileCheck %s --check-prefix=SAID --implicit-check-not="count ("
// SAID: optimized
// RUN: %differential %s --out %t.d --must-split 0 --train "abcde" --test "abcdabcaabbdee" --test "abcdef" --test "g" --flags=-O2 --flags=-O3 --flags="-O2 -no-pie"
#include <stdarg.h>
#include <stdio.h>

static int B, C, D;

__attribute__((noinline)) int note(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  const int Written = vprintf(Format, Arguments);
  va_end(Arguments);
  return Written;
}

__attribute__((noinline)) int count(const char *Text) {
  while (*Text) {
    switch (*Text) {
    case 'a': B++; break;
    case 'b': C++; break;
    case 'c': D++; break;
    case 'd': B--; break;
    case 'e': C += 2; break;
    case 'f': note("f at %s\n", Text); return 0;
    case 'g': puts("g"); return 1;
    }
    Text++;
  }
  return B;
}

int main(int Argc, char **Argv) {
  int Sum = 0;
  for (int I = 0; I < 1000; ++I)
    Sum += count(Argv[1]);
  printf("%d %d %d %d\n", Sum, B, C, D);
  return 0;
}
