// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE static long choose(int Kind, long X) {
  switch (Kind) {
  case 0: return X + 1;
  case 1: return X * 3;
  case 2: return X ^ 9;
  case 3: return X - 7;
  case 4: return X << 1;
  case 5: return X | 4;
  case 6: return X & 0xffff;
  default: abort();
  }
}

NOINLINE static long other(const unsigned char *Kind, long X) {
  switch (*Kind) {
  case 10: return X * 5;
  case 11: return X / 3;
  case 12: return X + 100;
  case 13: return -X;
  case 14: return X ^ 0x55;
  case 15: return X >> 2;
  }
  return X;
}

NOINLINE static long more(long X) { return X + X % 11; }
NOINLINE static long less(long X) { return X - X % 13; }
static long (*const Table[])(long) = {more, less};

/// Pointers are compared with addresses that code takes.
NOINLINE static int isMore(long (*F)(long)) { return F == more; }

NOINLINE static long rare(long X) {
  printf("rare %ld\n", X);
  return X / 2;
}

static jmp_buf Back;

NOINLINE static long jump(long X) {
  if (X % 1000 == 999)
    longjmp(Back, 1);
  return X;
}

NOINLINE static long loop(long N) {
  long Sum = 0;
  unsigned char Kinds[] = {10, 12, 15, 11, 99, 13, 14};
  for (volatile long I = 0; I < N; ++I) {
    Sum += choose(I % 7, Sum) + other(&Kinds[I % 7], I);
    Sum += Table[I & 1](Sum);
    Sum ^= isMore(Table[I & 1]);
    if (I % 5000 == 4999)
      Sum += rare(Sum);
    if (!setjmp(Back))
      Sum += jump(I);
  }
  return Sum;
}

static int compare(const void *A, const void *B) {
  return *(const int *)A - *(const int *)B;
}

int main(int Count, char **Arguments) {
  const int N = Count > 1 ? atoi(Arguments[1]) : 20000;
  int *Numbers = malloc(N * sizeof(int));
  for (int I = 0; I < N; ++I)
    Numbers[I] = I * 7919L % N;
  qsort(Numbers, N, sizeof(int), compare);
  printf("%ld %d %d\n", loop(N), Numbers[N / 2], isMore(more));
  free(Numbers);
  return 0;
}
