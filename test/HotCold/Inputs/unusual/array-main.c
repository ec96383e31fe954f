// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
extern const unsigned char blob_code[];
static const struct { const char *name; const unsigned off; } meta[] = {{"A", 0}, {"B", 32}, {"C", 96}};
const unsigned char *volatile code = blob_code;
typedef long (*fn)(long);
__attribute__((noinline)) long call(int k, long x) { return ((fn)(code + meta[k].off))(x); }
int main(void) { unsigned long r = 0; for (int i = 0; i < 3000; i++) r = r * 7 + call(i % 3, i); printf("%lu\n", r); }
