// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Swift's self is in %r13: a loop behind a call reads it.
#include <stdio.h>
#define SW __attribute__((swiftcall, noinline))
#define SELF __attribute__((swift_context))
typedef struct { long a, b, c; } S;
static S arr[65];
__attribute__((noinline)) void g(long x) { __asm__ volatile("" ::: "memory"); arr[64].a += x; }
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
SW long other(long x, SELF S *self) { __asm__ volatile("" ::: "memory"); return self->a + x; }
SW long meth(long x, SELF S *self) {
  g(x);
  do { self->a += 1; __asm__ volatile("" ::: "memory"); } while (self->a & 7);
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
