// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
long work(long, long);
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
int main(int argc, char **argv) { unsigned long r = 0; for (int i = 0; i < 300; i++) r += argc > 1 ? 0 : work(r, i); printf("%lu\n", r); }
