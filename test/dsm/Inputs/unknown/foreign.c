/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiled by gcc. */
#include "foreign.h"

long gcc_result;

long ***gcc_list;
long gcc_follow(void) { return ***gcc_list; }

long gcc_sum(const long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += p[i];
  return gcc_result = s;
}
void gcc_fill(long *p) {
  for (int i = 0; i < N; i++)
    p[i] = 2;
}
long gcc_sum_small(struct small s) { return gcc_sum(s.data); }
long gcc_sum_large(struct large s) { return gcc_sum(s.data); }
long gcc_sum_behind(const struct large *s) { return gcc_sum(s->data); }
long gcc_sum_address(unsigned long address) { return gcc_sum((const long *)address); }
long gcc_sum_either(union either e) { return gcc_sum(e.data); }
long gcc_sum_pair(pair p) { return gcc_sum((const long *)p[0]); }
long gcc_sum_wide(unsigned __int128 w) { return gcc_sum((const long *)(unsigned long)w); }
long gcc_sum_at(long *const *p) { return gcc_sum(*p); }
void gcc_touch(void *p) { *(volatile char *)p; }
long gcc_sum_listed(int count, va_list l) {
  long s = 0;
  while (count--)
    s += gcc_sum(va_arg(l, const long *));
  return s;
}
long gcc_sum_list(int count, ...) {
  va_list l;
  va_start(l, count);
  long s = 0;
  while (count--)
    s += gcc_sum(va_arg(l, const long *));
  va_end(l);
  return s;
}
void gcc_add_each(long *p, long step, long count, long (*visit)(long *)) {
  for (long i = 0; i < count; i++) {
    long before = p[i * step];
    p[i * step] = before + 1;
    if (i % 16 == 0)
      visit(p + i * step);
    p[i * step] = before + 1;
  }
}
long gcc_each(long *p, long (*visit)(long *)) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += visit(p + i) + p[i];
  return s;
}
int gcc_compare(const void *a, const void *b) {
  return *(const long *)a < *(const long *)b ? -1 : *(const long *)a > *(const long *)b;
}
void gcc_atomic_load(size_t size, void *from, void *to, int order) {
  __builtin_memcpy(to, from, size);
  (void)order;
}
int gcc_compare_at(const void *a, const void *b) {
  return gcc_compare(*(const long *const *)a, *(const long *const *)b);
}
int gcc_compare_with(const void *a, const void *b, void *argument) {
  gcc_sum(argument);
  return gcc_compare(a, b);
}
void *gcc_thread(void *p) { return (void *)gcc_sum(p); }
void gcc_work(void *p) { gcc_sum(p); }
void gcc_end(void *p) { (void)p; }
void gcc_leave(int status, void *p) { printf("%d %ld\n", status, gcc_sum(p)); }
void gcc_log(const char *format, ...) {
  va_list l;
  va_start(l, format);
  vprintf(format, l);
  va_end(l);
}
long *gcc_same(long *p) { return p; }
long (*gcc_pointer)(const long *) = gcc_sum;
long (*gcc_table[2])(const long *) = {gcc_sum, gcc_sum};
long (*gcc_choose(int which))(const long *) { return gcc_table[which]; }
/* Also defined with checks, weakly. */
long both_sum(const long *p) { return gcc_sum(p); }
