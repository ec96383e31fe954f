/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that are not compiled with checks. Each touches N longs. */
#ifndef FOREIGN_H
#define FOREIGN_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

#define N 64

struct small {
  long *data;
  long n;
};
struct large {
  long before, *data, n;
};
union either {
  long number;
  long *data;
};
typedef long pair __attribute__((vector_size(16)));

#ifdef __cplusplus
extern "C" {
#endif

/* gcc */
long gcc_sum(const long *p);
void gcc_fill(long *p);
long gcc_sum_small(struct small s);
long gcc_sum_large(struct large s);
long gcc_sum_behind(const struct large *s);
long gcc_sum_address(unsigned long address);
long gcc_sum_list(int count, ...);
long gcc_sum_listed(int count, va_list l);
long gcc_sum_either(union either e);
long gcc_sum_pair(pair p);
long gcc_sum_wide(unsigned __int128 w);
long gcc_sum_at(long *const *p);
void gcc_touch(void *p);
void gcc_add_each(long *p, long step, long count, long (*visit)(long *));
long gcc_each(long *p, long (*visit)(long *));
int gcc_compare(const void *a, const void *b);
void gcc_atomic_load(size_t size, void *from, void *to,
                     int order) __asm__("__atomic_load");
int gcc_compare_at(const void *a, const void *b);
int gcc_compare_with(const void *a, const void *b, void *argument);
void *gcc_thread(void *p);
void gcc_work(void *p);
void gcc_end(void *p);
void gcc_leave(int status, void *p);
void gcc_log(const char *format, ...);
long *gcc_same(long *p);
extern long (*gcc_pointer)(const long *);
extern long (*gcc_table[2])(const long *);
long (*gcc_choose(int which))(const long *);
extern long gcc_result;
extern long ***gcc_list;
long gcc_follow(void);
long both_sum(const long *p);

/* Clang without the configuration; assembly; a shared library; a plug-in. */
long plain_sum(const long *p);
long asm_sum(const long *p);
long lib_sum(const long *p);
long lib_resolved_sum(const long *p);

#ifdef __cplusplus
}
#endif
#endif
