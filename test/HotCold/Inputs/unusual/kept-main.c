// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
long pick(long, long, long); long limit(long, long);
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
int main(int c, char **v) { unsigned long r = 0, s = 0; for (int i = 0; i < 3000; i++) r = r * 7 + pick(i % 7 ? i + 1 : i * 3 + 1, i, 1234 + i);
 for (int i = 0; i < 3000; i++) s = s * 7 + limit(i % 3 ? 0x33 : 0x1003 + 8 * i, i);
 printf("%lu %lu\n", r, s); }
