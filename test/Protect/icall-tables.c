// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's tables for -fsanitize=cfi-icall are code: jumps of eight bytes each.
// Whether a pointer may be called is seen from its distance from the first. The
// symbol of each jump has the size of all.
//
// REQUIRES: x86_64, clang
// RUN: clang -O2 -flto -fuse-ld=lld -fsanitize=cfi-icall -fvisibility=hidden -Wl,--emit-relocs %s -o %t.exe
// RUN: %t.exe 9 > %t.expected
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK: more{{.*}} left as it is: it is an element of an array of code
// CHECK: GRAUPEL-INFO: {{[0-9]+}} functions left as they are: {{.*}}are elements of arrays of code
// RUN: %t.o 9 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i 9 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -hco -hco-growth=1000 -verify
// RUN: %t.o 9 | diff %t.expected -
//
// The check finds what it found.
// RUN: not --crash %t.exe
// RUN: not --crash %t.o
#include <stdio.h>
#include <stdlib.h>

typedef int (*Step)(int);
static int more(int X) { return X + 5; }
static int less(int X) { return X - 2; }
static int twice(int X) { return X * 2; }
static int flip(int X) { return ~X; }
static double other(double X) { return X; }
Step Steps[] = {more, twice, less, flip};
double (*Others[])(double) = {other};

int main(int Argc, char **Argv) {
  long Sum = 0;
  for (int I = 0; I < 100; ++I)
    Sum += Steps[I % 4](I);
  printf("%ld\n", Sum);
  fflush(stdout);
  if (Argc < 2)
    return ((Step)(void *)Others[0])(3);
  return 0;
}
