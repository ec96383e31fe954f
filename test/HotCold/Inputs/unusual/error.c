// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Self and error result of Swift.
#define SW __attribute__((swiftcall, noinline))
#define SELF __attribute__((swift_context))
#define ERR __attribute__((swift_error_result))
typedef struct { long a, b, c; } S;
long acc;
__attribute__((noinline)) void g(long x) { __asm__ volatile("" ::: "memory"); acc += x; }
__attribute__((noinline)) long rare(long x) { return x * 3 + 1; }
SW long other(long x, SELF S *self) { __asm__ volatile("" ::: "memory"); return self->a + x; }
SW long meth(long x, SELF S *self, ERR void **err) {
  g(x);
  do { self->a += 1; __asm__ volatile("" ::: "memory"); } while (self->a & 7);
  if (__builtin_expect((x & 31) == 17, 0)) { *err = (void *)(x + 1); return 3; }
  long r = other(x, (S *)((long *)self + 1));
  r ^= other(r, (S *)((long *)self + 1));
  return r;
}
long caller(S *base, long y) {
  S *s = base + 1;
  void *e = 0;
  if (__builtin_expect((y & 63) == 49, 0)) { s->c += rare(y); }
  long r = meth(y, s, &e);
  return e ? (long)e * 3 + r : r;
}
typedef SW long (*fn)(long, SELF S *, ERR void **);
fn tab[2] = {meth, meth};
long caller2(S *base, long y) {
  S *s = base + 1;
  void *e = 0;
  if (__builtin_expect((y & 63) == 49, 0)) { s->c += rare(y); }
  long r = tab[y & 1](y, s, &e);
  return e ? (long)e * 3 + r : r;
}
