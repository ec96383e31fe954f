// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large blocks of two places of allocation, at the same addresses in turns.

#include <stdlib.h>

#define BYTES (1 << 16)

__attribute__((noinline)) long touch(volatile long *block) {
  long s = 0;
  for (int i = 0; i < (int)(BYTES / sizeof(long)); ++i)
    s += block[i * 17 % (BYTES / sizeof(long))]++;
  return s;
}

__attribute__((noinline)) volatile long *first(void) { return malloc(BYTES); }
__attribute__((noinline)) volatile long *second(void) { return malloc(BYTES); }

int main(void) {
  for (int n = 0; n < 3; ++n) {
    volatile long *block = first();
    touch(block);
    free((void *)block);
    block = second();
    touch(block);
    free((void *)block);
  }
}
