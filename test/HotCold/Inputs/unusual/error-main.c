// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
typedef struct { long a, b, c; } S;
long caller(S *, long), caller2(S *, long);
static S arr[65];
int main(void) { unsigned long r = 0; for (int i = 0; i < 64; i++) arr[i] = (S){i, i * 3, i * 7}; for (int i = 0; i < 3000; i++) r = r * 7 + caller(arr + (r & 31), i) * 3 + caller2(arr + (r & 31), i); printf("%lu\n", r); }
