// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that returns four words, as Swift does.
#include <stdio.h>
#include <string.h>
/* swiftcall / regcall functions exported by a library, called from the program */
#define SW __attribute__((swiftcall))
struct q { long a, b, c, d; };
SW struct q four(long x, long y);
long *errp;
#ifdef LIB
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
SW struct q four(long x, long y) {
  struct q r = {x + y, x - y, x * 5 + y, x * 3 - y};
  if (__builtin_expect(y % 50 == 49, 0)) { r.a = rare(x); r.b += r.a; }
  return r;
}
SW __attribute__((noinline)) long thrower(__attribute__((swift_context)) void *ctx, __attribute__((swift_error_result)) void **err, long x);
SW long may(long x, __attribute__((swift_context)) void *ctx, __attribute__((swift_error_result)) void **err) {
  if (__builtin_expect(x % 50 == 49, 0)) { *err = (void *)rare(x); return 0; }
  return x * 2 + (long)ctx;
}
#else
SW long may(long x, __attribute__((swift_context)) void *ctx, __attribute__((swift_error_result)) void **err);
int main() {
  unsigned long r = 0;
  for (int i = 0; i < 3000; i++) { struct q q = four(i, i * 3); r = r * 7 + q.a + q.b * 3 + q.c * 5 + q.d * 7; 
    void *e = 0; r = r * 3 + may(i, (void *)(long)(i * 5), &e); r += (long)e; }
  printf("%lu\n", r);
}
#endif
