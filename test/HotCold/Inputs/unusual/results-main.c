// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls function OF of results.s, which returns four words.
#include <stdio.h>
struct words { long a, b, c, d; };
__attribute__((swiftcall)) struct words OF(long, long, long, long);
int main(void) {
  unsigned long sum = 0;
  for (long i = 0; i < 3000; ++i) {
    struct words w = OF(i, i * 3, i * 5, i * 7);
    sum = sum * 7 + w.a + w.c * 5 + w.d * 7;
  }
  printf("%lu\n", sum);
}
