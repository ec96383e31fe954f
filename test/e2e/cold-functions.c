// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that GCC has already split into a hot and a .cold part; the cold
// parts run in the test, not in training.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -freorder-blocks-and-partition %s -o %t.check
// RUN: llvm-nm %t.check | FileCheck %s
// CHECK-DAG: parse.cold
// CHECK-DAG: work.cold
// RUN: %differential %s --out %t --compilers gcc --train 0 --test 0 --test 1 --test 2 --test 3 --flags="-O2 -freorder-blocks-and-partition" --flags="-O2 -no-pie -freorder-blocks-and-partition -ffunction-sections"
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE __attribute__((cold)) int complain(const char *What, int X) {
  fprintf(stderr, "%s %d\n", What, X);
  return X % 13;
}

NOINLINE int parse(const int *Values, int Count) {
  int Sum = 0;
  for (int I = 0; I < Count; ++I) {
    if (__builtin_expect(Values[I] < 0, 0)) {
      Sum += complain("negative", Values[I]);
      continue;
    }
    if (__builtin_expect(Values[I] > 1000, 0)) {
      Sum -= complain("large", Values[I]);
      if (Values[I] > 5000)
        return -1;
    }
    Sum += Values[I] * 3;
  }
  return Sum;
}

NOINLINE int work(int X, int Mode) {
  int Values[8];
  for (int I = 0; I < 8; ++I)
    Values[I] = (X * 31 + I * 17) % 700;
  if (__builtin_expect(Mode == 1, 0)) {
    complain("mode", X);
    Values[3] = -X;
    if (X == 5)
      complain("five", X);
  }
  if (__builtin_expect(Mode == 2, 0)) {
    Values[5] = 1000 + X * 200;
    complain("again", X);
  }
  return parse(Values, 8);
}

int main(int Argc, char **Argv) {
  const int Mode = atoi(Argv[1]);
  unsigned Sum = 0;
  for (int I = 0; I < 40; ++I)
    Sum = Sum * 5 + work(I, Mode);
  if (__builtin_expect(Mode == 3, 0)) {
    complain("abort", 1);
    abort();
  }
  printf("%u\n", Sum);
  return 0;
}
