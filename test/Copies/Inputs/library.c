// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

long work(long N);
long (*itself(void))(long);

#ifdef PROGRAM
int main(void) {
  printf("%ld %d\n", work(30000), itself() == work);
  return 0;
}
#else
__attribute__((noinline)) static long step(long X) {
  switch (X % 6) {
  case 0: return 3;
  case 1: return X;
  case 2: return X * 5;
  case 3: return X - 2;
  case 4: return 9;
  default: return X ^ 1;
  }
}

long work(long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += step(I) ^ Sum >> 3;
  return Sum;
}

long (*itself(void))(long) { return work; }
#endif
