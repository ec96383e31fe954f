/* What the programs share that run in guests, and on one node.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <graupel/numa.h>
#include <numaif.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int failures;

__attribute__((format(printf, 2, 3))) static void check(int right,
                                                        const char *what, ...) {
  va_list arguments;
  char text[200];
  va_start(arguments, what);
  vsnprintf(text, sizeof(text), what, arguments);
  va_end(arguments);
  printf("%s - %s\n", right ? "ok" : "not ok", text);
  fflush(stdout);
  failures += !right;
}

static inline int nodes(void) {
  return __builtin_popcountll(graupel_numa_all_nodes());
}
static inline int alone(void) { return nodes() == 1; }
/* The result of a placement that went well. */
static inline int fine(int result) {
  return result == (alone() ? GRAUPEL_NUMA_TRIVIAL : GRAUPEL_NUMA_PLACED);
}

/* Asks the kernel itself, not the library. */
static inline int node_of(const void *address) {
  void *page = (void *)((uintptr_t)address & -(uintptr_t)PAGE);
  int status = -1;
  if (move_pages(0, 1, &page, NULL, &status, 0))
    return -errno;
  return status;
}

/* How many of the pages are not on expected(page, data). */
static inline size_t misplaced(const char *memory, size_t pages,
                               int (*expected)(size_t page, void *data),
                               void *data) {
  size_t wrong = 0;
  for (size_t page = 0; page < pages; ++page) {
    int is = node_of(memory + page * PAGE);
    int should = alone() ? 0 : expected(page, data);
    if (is != should && ++wrong < 4)
      printf("  page %zu is on %d, should be on %d\n", page, is, should);
  }
  return wrong;
}

static inline int on_node(size_t page, void *data) {
  (void)page;
  return *(int *)data;
}

/* Runs a function in a thread on a node. */
struct on {
  int node;
  void (*run)(int node, void *data);
  void *data;
  pthread_t thread;
};

static void *start_on(void *argument) {
  struct on *on = argument;
  if (graupel_numa_run_on(0, on->node, 1) < 0) {
    printf("not ok - %s\n", graupel_numa_message());
    exit(1);
  }
  on->run(on->node, on->data);
  return NULL;
}

static inline void begin_on(struct on *on, int node, void (*run)(int, void *),
                            void *data) {
  *on = (struct on){node, run, data, 0};
  if (pthread_create(&on->thread, NULL, start_on, on))
    abort();
}

static inline void end_on(struct on *on) { pthread_join(on->thread, NULL); }

static inline void once_on(int node, void (*run)(int, void *), void *data) {
  struct on on;
  begin_on(&on, node, run, data);
  end_on(&on);
}

/* On all nodes at once. */
static inline void on_all(void (*run)(int, void *), void *data) {
  struct on on[64];
  for (int node = 0; node < nodes(); ++node)
    begin_on(&on[node], node, run, data);
  for (int node = 0; node < nodes(); ++node)
    end_on(&on[node]);
}

static inline uint64_t hash(const void *memory, size_t bytes) {
  const uint64_t *words = memory;
  uint64_t h = 1469598103934665603u;
  for (size_t n = 0; n < bytes / 8; ++n)
    h = (h ^ words[n]) * 1099511628211u;
  return h;
}

static inline void fill(void *memory, size_t bytes, uint64_t seed) {
  uint64_t *words = memory;
  for (size_t n = 0; n < bytes / 8; ++n)
    words[n] = (n + seed) * 0x9e3779b97f4a7c15u;
}

static int finish(void) {
  printf("%d failed\n", failures);
  return failures != 0;
}

#endif
