// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <string.h>
long strs(char *, char *, long, long); long xl(long, long); long a32(long, long);
__attribute__((noinline)) long rare(long x) { return (x & 0) + 1; }
char a[200], b[200];
int main(int c, char **v) { unsigned long r = 0, s = 0, t = 0; memset(b, 'x', 200); b[3] = ' ';
 for (int i = 0; i < 3000; i++) { r = r * 7 + (strs(a, b, i % 90 + 1, 0) - (long)(i % 90 == 48 ? 0 : (long)(a - b))); }
 for (int i = 0; i < 3000; i++) s = s * 7 + xl(0, i), t = t * 3 + a32(0, i % 9);
 printf("%lu %lu %lu %s\n", r, s, t, a); }
