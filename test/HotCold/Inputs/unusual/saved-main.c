// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
long caller(long, long);
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
int main(int argc, char **argv) { unsigned long r = 0; for (int i = 0; i < 3000; i++) r = r * 7 + caller(r & 63, i); printf("%lu\n", r); }
