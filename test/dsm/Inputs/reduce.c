// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gdsm_reduce of every type and operation, short and long, in private and in
   shared memory; what every thread gets has to be, bit by bit, what combining
   from the first thread to the last gives. Also compiled with
   GRAUPEL_DSM_SEQUENTIAL. Prints a number made of all results, which is the
   same for the same number of threads, and messages of nodes. */
#ifdef GRAUPEL_DSM_SEQUENTIAL
#include "graupel/dsm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define before_load(p, n) ((void)0)
#define before_store(p, n) ((void)0)
#define CHECK(c)                                                               \
  ((c) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #c), exit(1)))
#else
#include "checked.h"
#endif

enum { Most = 20000 };
static void *shared;
static uint64_t sum = 14695981039346656037u;

static void add(const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    sum = (sum ^ ((const unsigned char *)data)[i]) * 1099511628211u;
}

/* Values whose sum depends on the order. */
static double value(int thread, size_t i) {
  unsigned r = (unsigned)(thread * 7919 + (int)i * 104729 + 1);
  r = r * 1664525u + 1013904223u;
  return ((double)(int)r) * (r % 3 ? 1 : 1e-7);
}

#define REDUCE(T, TYPE, Add)                                                   \
  static void reduce_##T(size_t count, enum gdsm_operation operation, T *in) { \
    T *right = (T *)malloc(2 * Most * sizeof(T)), *got = right + Most;         \
    for (size_t i = 0; i < count; ++i) {                                       \
      T r = (T)(int64_t)value(0, i);                                           \
      for (int t = 1; t < gdsm_threads(); ++t) {                               \
        T v = (T)(int64_t)value(t, i);                                         \
        if (operation == GDSM_SUM)                                             \
          r = (T)((Add)r + (Add)v);                                            \
        else if (operation == GDSM_MIN ? v < r : v > r)                        \
          r = v;                                                               \
      }                                                                        \
      right[i] = r;                                                            \
      got[i] = (T)(int64_t)value(gdsm_thread(), i);                            \
    }                                                                          \
    if (in) {                                                                  \
      for (size_t i = 0; i < count; ++i) {                                     \
        before_store(&in[i], sizeof(T));                                       \
        in[i] = got[i];                                                        \
      }                                                                        \
      gdsm_reduce(in, count, TYPE, operation);                                 \
      for (size_t i = 0; i < count; ++i) {                                     \
        before_load(&in[i], sizeof(T));                                        \
        got[i] = in[i];                                                        \
      }                                                                        \
    } else {                                                                   \
      gdsm_reduce(got, count, TYPE, operation);                                \
    }                                                                          \
    CHECK(memcmp(got, right, count * sizeof(T)) == 0);                         \
    if (gdsm_thread() == 0)                                                    \
      add(got, count * sizeof(T));                                             \
    free(right);                                                               \
  }
REDUCE(int32_t, GDSM_INT32, uint32_t)
REDUCE(uint32_t, GDSM_UINT32, uint32_t)
REDUCE(int64_t, GDSM_INT64, uint64_t)
REDUCE(uint64_t, GDSM_UINT64, uint64_t)
REDUCE(float, GDSM_FLOAT, float)
REDUCE(double, GDSM_DOUBLE, double)

static void work(void *unused) {
  static const size_t counts[] = {0, 1, 3, 100, 513, 5000, Most};
  char *own = (char *)shared + (size_t)gdsm_thread() * Most * 8;
  (void)unused;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
    for (int o = GDSM_SUM; o <= GDSM_MAX; ++o) {
      enum gdsm_operation op = (enum gdsm_operation)o;
      reduce_int32_t(counts[c], op, NULL);
      reduce_uint32_t(counts[c], op, NULL);
      reduce_int64_t(counts[c], op, (int64_t *)own);
      reduce_uint64_t(counts[c], op, NULL);
      reduce_float(counts[c], op, NULL);
      reduce_double(counts[c], op, c % 2 ? (double *)own : NULL);
    }
  /* Long and short ones, and other calls, in turns. */
  for (int i = 0; i < 50; ++i) {
    double a[600];
    for (int j = 0; j < 600; ++j)
      a[j] = gdsm_thread() + j;
    gdsm_reduce(a, i % 2 ? 600 : 2, GDSM_DOUBLE, GDSM_MAX);
    CHECK(a[1] == gdsm_threads() && a[0] == gdsm_threads() - 1);
    CHECK(gdsm_reduce_int64(i, GDSM_MIN) == i);
  }
}

static uint64_t messages(void) {
  struct gdsm_statistics all;
  gdsm_get_statistics(&all);
  return all.messages;
}

int main(void) {
  static double a[2048];
  if (gdsm_node() == 0)
    shared = gdsm_alloc((size_t)gdsm_threads() * Most * 8, 1024,
                        GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&shared, sizeof shared, 0);
  /* Of main threads alone, and what it costs. */
  int64_t before = (int64_t)messages();
  for (int i = 0; i < 100; ++i)
    gdsm_reduce(a, 512, GDSM_DOUBLE, GDSM_SUM);
  int64_t small = (int64_t)messages();
  for (int i = 0; i < 100; ++i)
    gdsm_reduce(a, 2048, GDSM_DOUBLE, GDSM_SUM);
  int64_t large = (int64_t)messages() - small;
  small -= before;
  small = gdsm_reduce_int64(small, GDSM_SUM);
  large = gdsm_reduce_int64(large, GDSM_SUM);
  for (int i = 0; i < 2048; ++i)
    a[i] = gdsm_node() + i;
  gdsm_reduce(a, 2048, GDSM_DOUBLE, GDSM_SUM);
  for (int i = 0; i < 2048; ++i)
    CHECK(a[i] == gdsm_nodes() * (gdsm_nodes() - 1) / 2 + i * gdsm_nodes());
  gdsm_parallel(work, NULL);
  if (gdsm_node() == 0)
    printf("messages %ld %ld, result %016lx\n", (long)small, (long)large,
           (unsigned long)sum);
  return 0;
}
