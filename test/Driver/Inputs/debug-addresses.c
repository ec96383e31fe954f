/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <stdio.h>
#include <stdlib.h>

static int Sum;

/* Inlined behind calls whose size -plt=all changes, in the same block. */
static inline void take(const char *Text) {
  int Number = atoi(Text);
  Sum += Number * 3;
}

int __attribute__((noinline)) takeAll(char **Texts) {
  puts(Texts[0]);
  puts(Texts[1]);
  take(Texts[0]);
  puts(Texts[2]);
  take(Texts[1]);
  take(Texts[2]);
  return Sum;
}

int main(void) {
  char *Texts[] = {"1", "2", "4"};
  printf("%d\n", takeAll(Texts));
  return 0;
}
