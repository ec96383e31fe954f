// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that follow each other at one address, of two allocation sites, one of
// which asks for more than a page now and then.
#include <stdio.h>
#include <stdlib.h>

#define COUNT 500

__attribute__((noinline)) static long *first(void) {
  return malloc(COUNT * sizeof(long));
}

__attribute__((noinline)) static long *second(int round) {
  return malloc((round % 16 ? COUNT : 40 * COUNT) * sizeof(long));
}

__attribute__((noinline)) static long scatter(long *to, unsigned *seed) {
  for (int i = 0; i < COUNT; ++i) {
    *seed = *seed * 1103515245 + 12345;
    to[(*seed >> 16) % COUNT] = i;
  }
  return to[*seed % COUNT];
}

__attribute__((noinline)) static long stripes(long *to, unsigned *seed) {
  for (int i = 0; i < COUNT; ++i) {
    *seed += *seed >> 9 | 1;
    to[(i * 7 + (*seed & 1)) % COUNT] = i;
  }
  return to[*seed % COUNT];
}

int main(void) {
  unsigned seed = 1;
  long sum = 0;
  for (int round = 0; round < 2000; ++round) {
    long *a = first();
    sum += scatter(a, &seed) & 1;
    free(a);
    long *b = second(round);
    sum += stripes(b, &seed) & 1;
    free(b);
  }
  printf("%ld\n", sum >= 0);
}
