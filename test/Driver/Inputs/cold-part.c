/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int part(int x) {
  if (__builtin_expect(x > 90, 0)) {
    printf("cold %d\n", x);
    if (x > 1000)
      abort();
  }
  return x * 2;
}

int main(int argc, char **argv) {
  (void)argv;
  printf("%d\n", part(argc) + part(argc + 2));
  return 0;
}
