// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graupel/dsm.h"
#include <stdexcept>
#include <cstdio>
#include <cstring>
#include <new>
#include <atomic>
#include <vector>
#include <csetjmp>
struct Base { virtual ~Base() {} virtual int f(int) = 0; int tag; };
struct A : Base { int v[10]; int f(int x) override { if (x > 7) throw std::runtime_error("x"); return v[x] + tag; } };
struct B : Base { long w; int f(int x) override { w += x; return (int)w; } };
template <class T> T *make() { return new (gdsm_malloc(sizeof(T))) T(); }
struct S3 { double a, b, c; };
__attribute__((noinline)) S3 ret(const S3 *p) { return {p->a + 1, p->b * 2, p->c}; }
struct Tree { Tree *l, *r; int k; float f; };
Tree *insert(Tree *t, int k) { if (!t) { t = (Tree *)gdsm_malloc(sizeof(Tree)); t->l = t->r = nullptr; t->k = k; t->f = k * .25f; return t; } if (k < t->k) t->l = insert(t->l, k); else t->r = insert(t->r, k); return t; }
double walk(const Tree *t) { return t ? walk(t->l) + t->k * t->f + walk(t->r) : 0; }
jmp_buf jb;
__attribute__((noinline)) int jumper(int *p, int n) { volatile int r = 0; int x = p[0]; if (int k = setjmp(jb)) { return p[0] + p[1] + k + x; } p[0] = n; p[1] = 3; r = p[0]; if (n > 0) longjmp(jb, n); return r; }
struct Packed { char c; long l; short s; double d; } __attribute__((packed));
__attribute__((noinline)) double packed(Packed *p, int n) { double t = 0; for (int i = 0; i < n; i++) { p[i].l += i; p[i].d += p[i].l; t += p[i].d + p[i].s + p[i].c; } return t; }
long double ld(long double *p) { p[1] += p[0]; return p[1] * 2; }
__int128 big(__int128 *p) { p[1] += p[0] * 3; return p[1]; }
int main() {
  Base *b[4] = {make<A>(), make<B>(), make<A>(), make<B>()};
  for (int i = 0; i < 4; i++) { b[i]->tag = i; if (auto *a = dynamic_cast<A *>(b[i])) for (int j = 0; j < 10; j++) a->v[j] = i * j; else static_cast<B *>(b[i])->w = i; }
  long s = 0;
  for (int i = 0; i < 40; i++) try { s += b[i % 4]->f(i % 10); } catch (std::exception &e) { s += b[i % 4]->tag * 1000 + strlen(e.what()); }
  std::printf("%ld\n", s);
  S3 *p = (S3 *)gdsm_malloc(sizeof(S3) * 20);
  for (int i = 0; i < 20; i++) p[i] = S3{i * 1.0, i * 2.0, i * 3.0};
  for (int i = 0; i + 1 < 20; i++) p[i] = ret(&p[i + 1]);
  S3 *q = (S3 *)gdsm_malloc(sizeof(S3) * 20);
  memcpy(q, p, sizeof(S3) * 20); memmove(q + 1, q, sizeof(S3) * 19); memset(q, 0, 30);
  double d = 0; for (int i = 0; i < 20; i++) d += q[i].a + q[i].b * i + q[i].c;
  std::printf("%f\n", d);
  Tree *t = nullptr; for (int i = 0; i < 200; i++) t = insert(t, i * 37 % 211);
  std::printf("%f\n", walk(t));
  auto *at = (std::atomic<long> *)gdsm_malloc(64); new (at) std::atomic<long>(0);
  for (int i = 0; i < 50; i++) { at->fetch_add(i); long e = i; at[0].compare_exchange_strong(e, 3); at->fetch_xor(1); }
  std::printf("%ld\n", at->load());
  int *j = (int *)gdsm_malloc(64); j[0] = 5; j[1] = 6; std::printf("%d %d\n", jumper(j, 4), jumper(j, 0));
  char *c = (char *)gdsm_malloc(300), *c2 = (char *)gdsm_malloc(300); strcpy(c, "hello world, this is a longer string that spans granules "); strcpy(c2, c); strcat(c2, "and more");
  char buf[300]; strcpy(buf, c2); std::printf("%s %zu %d %ld\n", buf, strlen(c), strcmp(c, c2), (long)(strchr(c2, 'w') - c2));
  Packed *pk = (Packed *)gdsm_malloc(sizeof(Packed) * 50); for (int i = 0; i < 50; i++) pk[i] = Packed{(char)i, i * 3, (short)-i, i * .5}; std::printf("%f\n", packed(pk, 50));
  long double *l = (long double *)gdsm_malloc(64); l[0] = 1.5L; l[1] = 2.5L; std::printf("%Lf\n", ld(l));
  __int128 *w = (__int128 *)gdsm_malloc(64); w[0] = 5; w[1] = 7; std::printf("%ld\n", (long)big(w));
  volatile int *v = (volatile int *)gdsm_malloc(32); *v = 1; for (int i = 0; i < 10; i++) *v += i; std::printf("%d\n", *v);
}
