/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
int library_sum(const char *text);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 50; ++i)
    sum += library_sum("the quick brown fox") % (i + 1);
  printf("%d\n", sum);
  return sum & 15;
}
