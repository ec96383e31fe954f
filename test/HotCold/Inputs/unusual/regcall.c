// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library with clang's regcall, which returns more.
#include <stdio.h>
/* caller passes values in own registers to another image */
#define RC __attribute__((regcall))
struct q { long a, b, c, d, e, f; };
RC long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k);
RC struct q res(long x, long y);
#ifdef LIB
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
RC long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k) {
  if (__builtin_expect(a % 50 == 49, 0)) b += rare(a);
  return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + i * 23 + j * 29 + k * 31; }
RC struct q res(long x, long y) { struct q r = {x, y, x + y, x - y, x * y, x ^ y}; if (__builtin_expect(y % 50 == 49, 0)) r.f += rare(x); return r; }
#else
__attribute__((noinline)) long go(long x, long y) {
  if (__builtin_expect(y % 60 == 59, 0)) { printf("r %ld\n", y); x++; }
  long r = many(x, y, x + 1, y + 2, x * 3, y * 5, x ^ y, x - y, y - x, x & y, x | y);
  struct q q = res(x, y);
  return r + q.a + q.b * 3 + q.c * 5 + q.d * 7 + q.e * 11 + q.f * 13;
}
int main() { unsigned long r = 0; for (int i = 0; i < 3000; i++) r = r * 7 + go(i, i * 3); printf("%lu\n", r); }
#endif
