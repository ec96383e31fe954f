// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* More large blocks than fit into 64 KiB as addresses. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 20000; ++i) {
    char *block = malloc(70000);
    if (!block)
      return 1;
    *block = 1;
  }
  puts("20000 blocks");
  return 0;
}
