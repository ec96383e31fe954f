// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
long f(long, long);
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
int main() { unsigned long r = 0; for (int i = 0; i < 3000; i++) r = r * 7 + f(i, i * 3); printf("%lu\n", r); }
