// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that reads Swift's self behind a branch.
#include <stdio.h>
#define SW __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
typedef struct { long a, b, c; } S;
static S arr[65];
typedef SW long (*fn)(long, SELF S *);
__attribute__((noinline)) void g(long x) { __asm__ volatile("" ::: "memory"); arr[64].a += x; }
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
SW __attribute__((noinline)) static long other(long x, SELF S *self) { __asm__ volatile("" ::: "memory"); return self->a + x; }
SW __attribute__((noinline)) long meth(long x, SELF S *self) {
  if (x & 1) return x;
  g(x);
  self->a += 1;
  long r = other(x, (S *)((long *)self + 1));
  r ^= other(r, (S *)((long *)self + 1));
  return r;
}
__attribute__((noinline)) long caller(S *base, long y) {
  S *s = base + 1;
  if (__builtin_expect((y & 63) == 49, 0)) { s->c += rare(y); }
  return meth(y, s);
}
int main(void) { unsigned long r = 0; for (int i = 0; i < 64; i++) arr[i] = (S){i, i * 3, i * 7}; for (int i = 0; i < 3000; i++) r = r * 7 + caller(arr + (r & 31), i); printf("%lu\n", r); }
