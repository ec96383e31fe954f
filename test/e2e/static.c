// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static programs, with all of glibc in them. A static program writes no profile
// when it ends, so that the profile is that of the dynamic one.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --train "0 x" --test "1 some words" --test "2 y" --layouts basic --profile-from="-O2" --flags="-O2 -static" --flags="-O2 -static-pie"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *A, const void *B) {
  return *(const int *)A - *(const int *)B;
}

__attribute__((noinline)) int words(const char *Text, int Mode) {
  int Count = 0;
  for (const char *At = Text; *At; ++At) {
    if (isspace((unsigned char)*At))
      ++Count;
    if (Mode == 1 && isalpha((unsigned char)*At))
      printf("%c", toupper((unsigned char)*At));
    if (Mode == 2)
      fprintf(stderr, "%.3f;", strtod("1.5", NULL) * *At);
  }
  return Count;
}

int main(int Argc, char **Argv) {
  const int Mode = atoi(Argv[1]);
  int Values[50];
  for (int I = 0; I < 50; ++I)
    Values[I] = I * 7919 % 101;
  qsort(Values, 50, sizeof *Values, compare);
  unsigned Sum = words(Argv[2], Mode);
  for (int I = 0; I < 50; ++I)
    Sum = Sum * 3 + Values[I];
  char *Copy = strdup(Argv[2]);
  printf("%s %u\n", Copy, Sum);
  free(Copy);
  return 0;
}
