// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A switch in a loop, whose table's address is loaded before it and kept across
// calls; what is unlikely is in the function's cold part, which comes back into the
// loop. Redis' string functions are of this kind.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --flags="-O2" --flags="-O2 -no-pie -fno-pie" --flags="-O3 -fno-omit-frame-pointer" --train "1 2000" --test "1 2000" --test "7 3000"
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.out -v=1 -verify | FileCheck %s
// CHECK: GRAUPEL-INFO: understood the indirect jumps of {{[0-9]+}} more functions than llvm-bolt
// CHECK: optimized {{([0-9]+) of \1}} functions
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static long Odd, Errors;
__attribute__((cold, noipa)) static long wrong(long X) {
  ++Errors;
  return X & 7;
}
__attribute__((noipa)) static long add(long Sum, long X) {
  Odd += X & 1;
  return Sum * 31 + X;
}

// Header and value as in a string of Redis: the low bits tell the width.
static inline long length(const unsigned char *S) {
  switch (S[0] & 7) {
  case 0:
    return S[0] >> 3;
  case 1:
    return S[1];
  case 2:
    return *(const uint16_t *)(S + 2);
  case 3:
    return *(const uint32_t *)(S + 4);
  case 4:
    return *(const int64_t *)(S + 8);
  case 5:
    return S[1] + S[2];
  }
  return wrong(S[0]);
}

__attribute__((noipa)) long join(unsigned char (*S)[16], long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I) {
    long L = length(S[I]);
    Sum = add(Sum, L);
    if (I + 1 < N)
      Sum = add(Sum, -1);
  }
  return Sum;
}

int main(int Argc, char **Argv) {
  unsigned long Seed = strtoul(Argv[1], NULL, 10);
  long N = atol(Argv[2]);
  unsigned char(*S)[16] = malloc(16 * N);
  (void)Argc;
  for (long I = 0; I < 16 * N; ++I) {
    Seed = Seed * 6364136223846793005 + 1442695040888963407;
    S[0][I] = Seed >> 56;
    if (I % 16 == 0 && (S[0][I] & 7) > 5 && Seed >> 40 & 15)
      S[0][I] &= 0xfc;
  }
  long Sum = join(S, N);
  printf("%ld %ld %ld\n", Sum, Odd, Errors);
  return 0;
}
