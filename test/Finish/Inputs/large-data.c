/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

static char room[1 << 28];
int zeros[10], three = 3;

int main(int argc, char **argv) {
  (void)argv;
  room[argc * 1000] = 1;
  printf("%d %d %d\n", room[1000], zeros[argc], three);
  return 0;
}
