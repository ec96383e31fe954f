// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that says which build it is.

#include <stdio.h>

int main(void) {
  printf("number %d\n", NUMBER);
  return 0;
}
