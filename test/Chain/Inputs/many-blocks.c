/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

int f(int), g(int);

int main(void) {
  printf("%d %d\n", f(12345), g(12345));
  return 0;
}
