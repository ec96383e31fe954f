// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc's string functions are assembly: some run into the next function, some
// jump through tables of differences.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --train "Some Words" --test "some words and More of them" --layouts basic --must-split 0 --flags="-O1 -static" --flags="-O1 -static-pie"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(int Argc, char **Argv) {
  char Big[3000], Other[3000];
  unsigned long Sum = 0;
  for (int I = 1; I < Argc; ++I)
    for (size_t N = 0; N < sizeof Big - 20; N += 1 + N / 7) {
      memset(Big, I, sizeof Big);
      memset(Other, 'A' + I, N);
      Other[N] = 0;
      memcpy(Big + N % 13, Other, N + 1);
      memmove(Big, Big + N % 13, N + 1);
      Sum = Sum * 31 + strlen(Big) + (memcmp(Big, Other, N) != 0);
      Big[0] ^= 32;
      Sum = Sum * 31 + (strcasecmp(Big, Other) == 0) +
            (strncasecmp(Big, Argv[I], N) < 0) + (strcmp(Big, Other) < 0);
      Sum += strspn(Argv[I], "soSOm") + strcspn(Argv[I], "e") +
             (strcasestr(Argv[I], "WORD") != NULL) +
             (strrchr(Argv[I], 'o') != NULL) + (strpbrk(Argv[I], "de") != NULL);
    }
  printf("%lu\n", Sum);
  return 0;
}
