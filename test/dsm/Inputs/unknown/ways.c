/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ways to touch shared memory without checks. Node 0 writes N ones; then node 1 does what
   the argument says with them, which must be refused, or give N. */
#define _GNU_SOURCE
#include "foreign.h"
#include "way.h"
#include <dlfcn.h>
#include <graupel/dsm.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <unistd.h>

static long *data;
static struct large global;
static long (*volatile chosen)(const long *);
static const char *plugin;

__attribute__((weak)) long both_sum(const long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += p[i];
  return s;
}
extern long other_name(const long *) __attribute__((alias("both_sum")));

__attribute__((naked)) static long naked_sum(const long *p) {
  __asm__("xorl %eax, %eax\n xorl %ecx, %ecx\n"
          "1: addq (%rdi,%rcx,8), %rax\n incq %rcx\n cmpq $64, %rcx\n jne 1b\n ret");
}

static long checked_sum(const long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += p[i];
  return s;
}
static long visit(long *p) { return *p - 1; }
static int compare(const void *a, const void *b) { return gcc_compare(a, b); }
static int compare_checked(const void *a, const void *b) {
  return (int)(*(const long *)a - *(const long *)b);
}
__attribute__((noinline)) static void set_up(struct large *s) { s->data = data; }
GDSM_UNCHECKED long *gcc_same(long *p);

static long by_dlopen(const char *name) {
  void *library = dlopen(plugin, RTLD_NOW);
  long (*sum)(const long *) = (long (*)(const long *))dlsym(library, name);
  return sum(data);
}

static long by_dlsym_memcpy(void) {
  void *(*copy)(void *, const void *, size_t) =
      (void *(*)(void *, const void *, size_t))dlsym(RTLD_DEFAULT, "memcpy");
  long mine[N];
  copy(mine, data, sizeof mine);
  return checked_sum(mine);
}

static long by_pointer_to_memcpy(void) {
  void *(*volatile copy)(void *, const void *, size_t) = memcpy;
  long mine[N];
  copy(mine, data, sizeof mine);
  return checked_sum(mine);
}

static long by_code_made_now(void) {
  static const unsigned char code[] = {0x31, 0xc0, 0x31, 0xc9, 0x48, 0x03, 0x04, 0xcf,
                                       0x48, 0xff, 0xc1, 0x48, 0x83, 0xf9, 0x40, 0x75,
                                       0xf3, 0xc3};
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(page, code, sizeof code);
  return ((long (*)(const long *))page)(data);
}

static long by_pipe(int way) {
  int ends[2];
  long mine[N] = {0};
  if (pipe(ends))
    return -1;
  struct iovec part = {data, N * sizeof *data};
  if (way == 0)
    syscall(SYS_write, ends[1], data, N * sizeof *data);
  else if (way == 1)
    writev(ends[1], &part, 1);
  else
    write(ends[1], data, N * sizeof *data);
  if (read(ends[0], mine, sizeof mine) != sizeof mine)
    return -1;
  return checked_sum(mine);
}

static long by_asm_register(void) {
  long s = 0;
  for (long i = 0; i < N; i++)
    __asm__ volatile("addq (%1), %0" : "+r"(s) : "r"(data + i) : "memory");
  return s;
}

static long by_asm_integer(void) {
  long s = 0;
  for (long i = 0; i < N; i++)
    __asm__ volatile("addq (%1), %0" : "+r"(s) : "r"((uintptr_t)(data + i)));
  return s;
}

static long by_asm_memory(void) {
  long s = 0;
  for (long i = 0; i < N; i++)
    __asm__ volatile("addq %1, %0" : "+r"(s) : "m"(data[i]));
  return s;
}

/* Sixty-four times the first: the pointer is in the operand, not what it points to. */
static long by_asm_pointer(int way) {
  static long *kept;
  long *here = data, s = 0;
  pair both = {0, (long)data};
  kept = data;
  if (way == 0)
    __asm__ volatile("movq %1, %%rax\n movq (%%rax), %0" : "=r"(s) : "m"(here) : "rax");
  else if (way == 1)
    __asm__ volatile("movq %1, %%rax\n movq (%%rax), %0" : "=r"(s) : "m"(kept) : "rax");
  else
    __asm__ volatile("movhlps %1, %%xmm0\n movq %%xmm0, %%rax\n movq (%%rax), %0"
                     : "=r"(s)
                     : "x"(both)
                     : "rax", "xmm0");
  return s * N;
}

/* Operands that are private, and what an operand that is written held before. */
static long by_asm_private(void) {
  long mine = N / 4, *here = &mine, *there;
  pair both = {(long)&mine, 0};
  long a, b, c;
  there = data;
  __asm__ volatile("movq %1, %%rax\n movq (%%rax), %0" : "=r"(a) : "m"(here) : "rax");
  __asm__ volatile("movq %1, %%rax\n movq (%%rax), %0" : "=r"(b) : "x"(both) : "rax");
  __asm__ volatile("movq %1, %0" : "=m"(there) : "r"(&mine));
  __asm__ volatile("movq %1, %0" : "=r"(c) : "m"(*there));
  return a + b + c + *there;
}

static long by_thread(void *(*start)(void *)) {
  pthread_t t;
  void *result;
  void *(*volatile begin)(void *) = start; /* The linker refuses names. */
  pthread_create(&t, NULL, begin, data);
  pthread_join(t, &result);
  return (long)result;
}
static void *checked_thread(void *p) { return (void *)checked_sum(p); }
static int c11_thread(void *p) { return (int)checked_sum(p); }

static long by_c11_thread(thrd_start_t start) {
  thrd_t t;
  int result;
  volatile thrd_start_t begin = start;
  thrd_create(&t, begin, data);
  thrd_join(t, &result);
  return result;
}

static long by_sort(int way) {
  long *copy = data;
  if (way == 0)
    qsort(copy, N, sizeof *copy, gcc_compare);
  else
    qsort_r(copy, N, sizeof *copy, gcc_compare_with, data);
  return checked_sum(copy);
}

static long by_search(int (*comparison)(const void *, const void *)) {
  long key = 1;
  return bsearch(&key, data, N, sizeof *data, comparison) ? N : -1;
}

static long by_words(int way) {
  strcpy((char *)(data + N), "32 32");
  char *rest = (char *)(data + N), *word;
  long s = 0;
  if (way == 0)
    while ((word = strsep(&rest, " ")))
      s += atol(word);
  else
    for (word = strtok_r(rest, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
      s += atol(word);
  return s;
}

static void *set_and_end(void *key) {
  pthread_setspecific(*(pthread_key_t *)key, data);
  return NULL;
}
static void end_checked(void *p) { gcc_result = checked_sum(p); }
GDSM_UNCHECKED void gcc_end(void *p);
__attribute__((noinline)) static void make_unchecked(pthread_key_t *key) {
  pthread_key_create(key, gcc_end);
}

static long by_specific(int way) {
  static void (*const ends[])(void *) = {gcc_work, NULL, end_checked, NULL};
  pthread_key_t key, before;
  pthread_t t;
  if (way == 3) /* The number of a key that had a destructor. */
    pthread_key_create(&before, gcc_work), pthread_key_delete(before);
  if (way == 4)
    make_unchecked(&key);
  else
    pthread_key_create(&key, ends[way]);
  gcc_result = N;
  pthread_create(&t, NULL, set_and_end, &key);
  pthread_join(t, NULL);
  pthread_setspecific(key, way == 0 ? NULL : data);
  return way == 0 ? gcc_result
                  : (gcc_result + checked_sum(pthread_getspecific(key))) / 2;
}
static long by_tss(void) {
  tss_t key;
  tss_create(&key, gcc_work);
  tss_set(key, data);
  return checked_sum(tss_get(key));
}

/* Elements that are pointers, and comparisons that follow them. */
static int compare_at_checked(const void *a, const void *b) {
  return compare_checked(*(long *const *)a, *(long *const *)b);
}
static long by_sorted_pointers(int way) {
  long mine[N], **all = malloc(N * sizeof *all);
  memset(mine, 0, sizeof mine);
  mine[0] = N;
  for (int i = 0; i < N; i++)
    all[i] = way == 2 ? mine + i : data + i;
  if (way == 1)
    qsort(all, N, sizeof *all, compare_at_checked);
  else if (way == 3)
    qsort_r(data, N, sizeof *data, gcc_compare_with, mine);
  else
    qsort(all, N, sizeof *all, gcc_compare_at);
  long s = 0;
  for (int i = 0; i < N; i++)
    s += *all[i];
  return s;
}

static long by_stack(int way) {
  struct large s = {1, data, N};
  struct small t = {data, N};
  struct large *behind = malloc(sizeof *behind);
  global.data = data;
  behind->data = data;
  switch (way) {
  case 0:
    return gcc_sum_small(t);
  case 1:
    return gcc_sum_large(s);
  case 2:
    return gcc_sum_behind(&s);
  case 3:
    return gcc_sum_behind(&global);
  default:
    return gcc_sum_behind(behind);
  }
}

static long by_helper(void) {
  struct large s;
  set_up(&s);
  return gcc_sum_behind(&s);
}

static long by_value(int way) {
  if (way == 0) {
    union either e;
    e.data = data;
    return gcc_sum_either(e);
  }
  if (way == 1) {
    pair p = {(long)data, 1};
    return gcc_sum_pair(p);
  }
  return gcc_sum_wide((unsigned __int128)(uintptr_t)data);
}

static long by_heap(int way) {
  long **mine = malloc(4 * sizeof *mine);
  if (way == 0) {
    *mine = data;
    return gcc_sum_at(mine);
  }
  for (int i = 0; i < 4; i++)
    mine[i] = data;
  return gcc_sum_at(mine + 3);
}

static long by_copy(void) {
  struct small some[2] = {{data, N}, {data, N}}, others[2];
  memcpy(others, some, sizeof others);
  return gcc_sum_at(&others[1].data);
}

/* Lists of arguments: handed on at once, as a copy, by another function. */
__attribute__((noinline)) static long hand_on(int count, va_list l) {
  return gcc_sum_listed(count, l);
}
__attribute__((noinline)) long sum_of(int way, int count, ...) {
  va_list l, again;
  va_start(l, count);
  va_copy(again, l);
  long s = way == 0   ? gcc_sum_listed(count, l)
           : way == 1 ? gcc_sum_listed(count, again)
                      : hand_on(count, l);
  va_end(again);
  va_end(l);
  return s;
}
__attribute__((noinline)) static long sum_after(const char *unused,
                                                double number, ...) {
  va_list l;
  va_start(l, number);
  long s = checked_sum(va_arg(l, long *));
  s += gcc_sum_listed((int)number, l);
  va_end(l);
  return s;
}
__attribute__((noinline)) static long sum_here(int unused, ...) {
  va_list l;
  va_start(l, unused);
  long s = checked_sum(va_arg(l, long *));
  va_end(l);
  return s;
}
__attribute__((noinline)) static int text_of(char *to, const char *format,
                                             ...) {
  va_list l;
  va_start(l, format);
  int length = vsnprintf(to, N, format, l);
  va_end(l);
  return length;
}
static long (*volatile any_sum)(int, int, ...) = sum_of;

static long by_list(int way) {
  long mine[N], *volatile unknown = mine;
  char text[N];
  memcpy(mine, data, sizeof mine);
  switch (way) {
  case 0:
  case 1:
  case 2:
    return sum_of(way, 1, data);
  case 3: /* On the stack. */
    return sum_of(0, 6, mine, mine, mine, mine, mine, data) / 6;
  case 4:
    return any_sum(0, 2, mine, data) / 2;
  case 5: /* Used up before, or behind. */
    return sum_after("", 1, data, unknown) / 2;
  case 6: { /* What registers and the stack held before. */
    long s = sum_here(0, data, data, data, data, data, data, data, data);
    s += sum_of(0, 1, unknown) + sum_of(1, 1, unknown) + sum_of(2, 1, unknown);
    s += sum_of(0, 7, unknown, unknown, unknown, unknown, unknown, unknown,
                unknown);
    s += any_sum(0, 1, mine);
    return s / 12;
  }
  default:
    strcpy((char *)(data + N), "the text");
    return text_of(text, "%s, %.3s, %d%n", data + N, data + N, 5,
                   (int *)(data + 2 * N)) +
           (memcmp(text, "the text, the, 5", 17) == 0 &&
                    *(int *)(data + 2 * N) == 16
                ? N - 16
                : 0);
  }
}

/* What was in an object before the function stored into it, or after. */
struct table {
  long *first, *data[8];
};
__attribute__((noinline)) static long fill_one(int round, int count) {
  struct table *heap = malloc(sizeof *heap), local;
  long **variable = &local.data[0];
  long mine[N] = {N};
  memset(mine + 1, 0, sizeof mine - sizeof *mine);
  gcc_touch(heap);
  if (count > 8) {
    heap->data[1] = data;
    *variable = data;
  }
  gcc_touch(heap);
  gcc_touch(&local);
  heap->first = local.first = mine;
  long s = gcc_sum_at(&heap->first) + gcc_sum_at(&local.first);
  for (int i = 0; i < count; i++)
    heap->data[i] = local.data[i] = data + round;
  __asm__ volatile("" : : "r"(heap), "r"(&local) : "memory");
  free(heap);
  return s;
}
static long by_leftovers(void) {
  long s = 0;
  for (int round = 0; round < 4; round++) {
    struct table t, *p;
    gcc_touch(&t);
    for (int i = 0; i < 8; i++)
      t.data[i] = data;
    chosen = checked_sum;
    s += chosen(t.data[round]) + fill_one(round, 8) / 2 + fill_one(round, 7) / 2;
    p = malloc(sizeof *p);
    p->data[0] = data;
    free(p);
    p = malloc(sizeof *p);
    gcc_touch(p);
    free(p);
  }
  return s / 12;
}

static long by_mine(int way) {
  long *mine = malloc(N * sizeof *mine), stack[N];
  memcpy(mine, data, N * sizeof *mine);
  memcpy(stack, data, sizeof stack);
  struct large s = {1, way ? mine : stack, N};
  gcc_fill(mine);
  memcpy(mine, data, N * sizeof *mine);
  return (gcc_sum(mine) + gcc_sum(stack) + gcc_sum_behind(&s) + gcc_table[way](stack)) / 4;
}

static long by_fetch(int way) {
  long result = N;
  gdsm_fetch(data, N * sizeof *data, way == 1 ? GDSM_WRITE : GDSM_READ);
  struct large s = {1, data, N};
  if (way == 0)
    result = (gcc_sum(data) + gcc_sum_behind(&s) + by_asm_register() + by_dlsym_memcpy()) / 4;
  else if (way == 1)
    gcc_each(data, visit), gcc_fill(data);
  else if (way == 2)
    gcc_sum(data + N);
  else if (way == 3)
    gdsm_barrier();
  else
    gdsm_release(data, N);
  gdsm_release(data, N * sizeof *data);
  if (way == 1)
    result = checked_sum(data) / 2;
  return result;
}

static long by_atomic(void) {
  struct words {
    long some[3];
  } mine = {{N, 0, 0}};
  _Atomic(struct words) *shared = (_Atomic(struct words) *)data, local;
  __c11_atomic_init(&local, mine);
  mine = *&local;
  mine = *shared;
  return mine.some[0];
}

/* A global variable tells code without checks of shared memory, which nobody sees. The
   block is invalid here, the page is not. */
static long by_global(void) {
  long other = data[4000 / sizeof *data];
  gcc_list = (long ***)data;
  return gcc_follow() + other;
}

static long go(const char *way) {
  WAY("gcc-read", gcc_sum(data));
  WAY("gcc-write", (gcc_fill(data), N));
  WAY("gcc-middle", gcc_sum(data + 1) + 1);
  WAY("clang-plain", plain_sum(data));
  WAY("assembly", asm_sum(data));
  WAY("library", lib_sum(data));
  WAY("library-ifunc", lib_resolved_sum(data));
  WAY("dlopen", by_dlopen("plug_sum"));
  WAY("pointer", gcc_pointer(data));
  WAY("table", gcc_table[1](data));
  WAY("returned-pointer", gcc_choose(0)(data));
  WAY("own-pointer", (chosen = gcc_sum, chosen(data)));
  WAY("library-pointer", (chosen = lib_sum, chosen(data)));
  WAY("ifunc-pointer", (chosen = lib_resolved_sum, chosen(data)));
  WAY("checked-pointer", (chosen = checked_sum, chosen(data)));
  WAY("foreach", gcc_each(data, visit));
  WAY("weak", both_sum(data));
  WAY("weak-pointer", (chosen = both_sum, chosen(data)));
  WAY("alias", (chosen = other_name, chosen(data)));
  WAY("naked", naked_sum(data));
  WAY("varargs", gcc_sum_list(1, data));
  WAY("list", by_list(0));
  WAY("list-copied", by_list(1));
  WAY("list-handed-on", by_list(2));
  WAY("list-stack", by_list(3));
  WAY("list-pointer", by_list(4));
  WAY("list-used", by_list(5));
  WAY("list-private", by_list(6));
  WAY("list-library", by_list(7));
  WAY("struct-registers", by_stack(0));
  WAY("struct-memory", by_stack(1));
  WAY("struct-stack", by_stack(2));
  WAY("struct-global", by_stack(3));
  WAY("struct-heap", by_stack(4));
  WAY("struct-helper", by_helper());
  WAY("struct-copy", by_copy());
  WAY("union", by_value(0));
  WAY("vector", by_value(1));
  WAY("wide-integer", by_value(2));
  WAY("heap", by_heap(0));
  WAY("heap-loop", by_heap(1));
  WAY("leftovers", by_leftovers());
  WAY("integer", gcc_sum_address((uintptr_t)data));
  WAY("dlsym-memcpy", by_dlsym_memcpy());
  WAY("pointer-memcpy", by_pointer_to_memcpy());
  WAY("code-made-now", by_code_made_now());
  WAY("syscall", by_pipe(0));
  WAY("writev", by_pipe(1));
  WAY("write", by_pipe(2));
  WAY("ioctl", ioctl(0, FIONREAD, data));
  WAY("mmap", (long)mmap(data, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
  WAY("setjmp", setjmp(*(jmp_buf *)data));
  WAY("sigaction", sigaction(SIGUSR1, (struct sigaction *)data, NULL));
  WAY("wide", wprintf(L"%ls\n", (wchar_t *)data));
  WAY("log", (gcc_log("%s\n", (char *)data), N));
  WAY("asm-register", by_asm_register());
  WAY("asm-integer", by_asm_integer());
  WAY("asm-memory", by_asm_memory());
  WAY("asm-pointer", by_asm_pointer(0));
  WAY("asm-global-pointer", by_asm_pointer(1));
  WAY("asm-vector", by_asm_pointer(2));
  WAY("asm-private", by_asm_private());
  WAY("thread", by_thread(gcc_thread));
  WAY("checked-thread", by_thread(checked_thread));
  WAY("c11-thread", by_c11_thread((thrd_start_t)gcc_thread));
  WAY("checked-c11-thread", by_c11_thread(c11_thread));
  WAY("on-exit", (on_exit(gcc_leave, data), N));
  WAY("qsort", by_sort(0));
  WAY("qsort-argument", by_sort(1));
  WAY("bsearch", by_search(gcc_compare));
  WAY("bsearch-checked", by_search(compare_checked));
  WAY("bsearch-through", by_search(compare));
  WAY("strsep", by_words(0));
  WAY("strtok", by_words(1));
  WAY("specific", by_specific(1));
  WAY("specific-end", by_specific(0));
  WAY("specific-checked", by_specific(2));
  WAY("specific-again", by_specific(3));
  WAY("specific-unchecked", by_specific(4));
  WAY("tss-end", by_tss());
  WAY("qsort-pointers", by_sorted_pointers(0));
  WAY("qsort-pointers-checked", by_sorted_pointers(1));
  WAY("qsort-pointers-private", by_sorted_pointers(2));
  WAY("qsort-private-argument", by_sorted_pointers(3));
  WAY("fetch-read", by_fetch(0));
  WAY("fetch-write", by_fetch(1));
  WAY("fetch-less", by_fetch(2));
  WAY("fetch-barrier", by_fetch(3));
  WAY("fetch-other", by_fetch(4));
  WAY("global-pointer", by_global());
  WAY("atomic", by_atomic());
  WAY("unchecked", checked_sum(gcc_same(data)));
  WAY("nothing-shared", by_mine(0) + by_mine(1) - N);
  return -1;
}

int main(int argc, char **argv) {
  plugin = argv[2];
  if (gdsm_node() == 0) {
    data = gdsm_alloc(4096, 0, 0);
    for (int i = 0; i < N; i++)
      data[i] = 1;
  }
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_barrier();
  void (*volatile work)(void *) = gcc_work;
  if (strcmp(argv[1], "parallel") == 0)
    gdsm_parallel(work, data);
  return on_node_1(go, argv[1]);
}
