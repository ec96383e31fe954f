/*===- graupel/dsm_sequential.h - dsm.h without Graupel -----------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* All of graupel/dsm.h for a job of one node in one process, of which dsm.h
|* includes this with GRAUPEL_DSM_SEQUENTIAL defined. It is what an
|* uninstrumented program is measured with, and a way to debug a program with
|* ordinary tools (ThreadSanitizer, valgrind). Needs a C11 or C++11 compiler
|* with GNU attributes, and -pthread.
|*
|* GRAUPEL_DSM_THREADS in the environment is the number of threads (1 to 256, 1
|* by default). Memory is at home where it is, so `home` and `block` only align.
|*
|* Functions and state are weak: any number of translation units may include
|* this, in C and C++, and share one copy. Names in here that start with
|* gdsm_sequential are not to be used.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_DSM_SEQUENTIAL_H
#define GRAUPEL_DSM_SEQUENTIAL_H

#ifndef GRAUPEL_DSM_SEQUENTIAL
#error "include graupel/dsm.h with GRAUPEL_DSM_SEQUENTIAL defined"
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GDSM_SEQUENTIAL_WEAK __attribute__((weak))

enum { GDSM_SEQUENTIAL_MAX_THREADS = 256, GDSM_SEQUENTIAL_BUCKETS = 4096 };

/* What belongs to one number: a lock, a counter, a semaphore and a condition
   variable. Entries are never removed. */
struct gdsm_sequential_entry {
  uint64_t number;
  pthread_mutex_t mutex;
  int64_t counter;
  pthread_mutex_t semaphore_mutex;
  pthread_cond_t posted;
  int64_t semaphore;
  pthread_cond_t condition;
  struct gdsm_sequential_entry *next;
};

struct gdsm_sequential_state {
  pthread_barrier_t barrier;
  pthread_mutex_t mutex; /* Of changes to buckets. */
  struct gdsm_sequential_entry *buckets[GDSM_SEQUENTIAL_BUCKETS];
  uint64_t next_lock;
  int parallel;
  void (*function)(void *);
  void *argument;
  union {
    double real;
    int64_t integer;
    struct {
      void *data;
      size_t count;
      int type, operation;
    } array;
  } values[GDSM_SEQUENTIAL_MAX_THREADS];
};

#ifdef __cplusplus
#define GDSM_SEQUENTIAL_ZERO                                                   \
  {                                                                            \
  }
#else
#define GDSM_SEQUENTIAL_ZERO {0}
#endif
GDSM_SEQUENTIAL_WEAK struct gdsm_sequential_state gdsm_sequential =
    GDSM_SEQUENTIAL_ZERO;
GDSM_SEQUENTIAL_WEAK __thread int gdsm_sequential_thread = 0;

GDSM_SEQUENTIAL_WEAK void gdsm_sequential_fail(const char *what) {
  fprintf(stderr, "graupel dsm: error: %s\n", what);
  exit(1);
}

GDSM_SEQUENTIAL_WEAK int gdsm_threads(void) {
  static int threads = 0;
  int known = __atomic_load_n(&threads, __ATOMIC_RELAXED);
  if (known)
    return known;
  const char *text = getenv("GRAUPEL_DSM_THREADS");
  char *end = NULL;
  long value = text ? strtol(text, &end, 10) : 1;
  if (text &&
      (!*text || *end || value < 1 || value > GDSM_SEQUENTIAL_MAX_THREADS))
    gdsm_sequential_fail("GRAUPEL_DSM_THREADS must be a number from 1 to 256");
  __atomic_store_n(&threads, (int)value, __ATOMIC_RELAXED);
  return (int)value;
}

GDSM_SEQUENTIAL_WEAK int gdsm_node(void) { return 0; }
GDSM_SEQUENTIAL_WEAK int gdsm_nodes(void) { return 1; }
GDSM_SEQUENTIAL_WEAK int gdsm_thread(void) { return gdsm_sequential_thread; }
GDSM_SEQUENTIAL_WEAK int gdsm_threads_per_node(void) { return gdsm_threads(); }

GDSM_SEQUENTIAL_WEAK double gdsm_sequential_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

GDSM_SEQUENTIAL_WEAK double gdsm_sequential_start = 0;
GDSM_SEQUENTIAL_WEAK __attribute__((constructor)) void
gdsm_sequential_note_start(void) {
  if (gdsm_sequential_start == 0)
    gdsm_sequential_start = gdsm_sequential_clock();
}
GDSM_SEQUENTIAL_WEAK double gdsm_time(void) {
  return gdsm_sequential_clock() - gdsm_sequential_start;
}

GDSM_SEQUENTIAL_WEAK void *gdsm_sequential_run(void *thread) {
  gdsm_sequential_thread = (int)(intptr_t)thread;
  gdsm_sequential.function(gdsm_sequential.argument);
  return NULL;
}

GDSM_SEQUENTIAL_WEAK void gdsm_parallel(void (*function)(void *),
                                        void *argument) {
  pthread_t threads[GDSM_SEQUENTIAL_MAX_THREADS];
  int count = gdsm_threads();
  if (gdsm_sequential.parallel)
    gdsm_sequential_fail("gdsm_parallel was called within gdsm_parallel");
  gdsm_sequential.function = function;
  gdsm_sequential.argument = argument;
  pthread_barrier_init(&gdsm_sequential.barrier, NULL, (unsigned)count);
  gdsm_sequential.parallel = 1;
  for (int t = 1; t < count; ++t)
    if (pthread_create(&threads[t], NULL, gdsm_sequential_run,
                       (void *)(intptr_t)t))
      gdsm_sequential_fail("cannot create a thread; use fewer");
  function(argument);
  for (int t = 1; t < count; ++t)
    pthread_join(threads[t], NULL);
  gdsm_sequential.parallel = 0;
  pthread_barrier_destroy(&gdsm_sequential.barrier);
}

/* Part of whoever calls it, so that tools tell one caller's memory from
   another's. */
static inline __attribute__((always_inline)) void *
gdsm_sequential_alloc(size_t size, size_t block, int home) {
  void *memory = NULL;
  if (block == 0)
    block = 128;
  if (block < 32 || block > 4096 || (block & (block - 1)))
    gdsm_sequential_fail("a block must be a power of two from 32 to 4096");
  if (home < GDSM_HOME_LOCAL || home >= 1)
    gdsm_sequential_fail("there is no node with the number given as home");
  if (size > SIZE_MAX - block || posix_memalign(&memory, block, size + !size))
    gdsm_sequential_fail("no memory left; allocate less");
  memset(memory, 0, size);
  return memory;
}
GDSM_SEQUENTIAL_WEAK void *gdsm_alloc(size_t size, size_t block, int home) {
  return gdsm_sequential_alloc(size, block, home);
}
GDSM_SEQUENTIAL_WEAK void *gdsm_malloc(size_t size) {
  return gdsm_sequential_alloc(size, 0, GDSM_HOME_ROUND_ROBIN);
}
#define gdsm_alloc(...) gdsm_sequential_alloc(__VA_ARGS__)
#define gdsm_malloc(size) gdsm_sequential_alloc(size, 0, GDSM_HOME_ROUND_ROBIN)
GDSM_SEQUENTIAL_WEAK void gdsm_free(void *memory) { free(memory); }

GDSM_SEQUENTIAL_WEAK void gdsm_broadcast(void *data, size_t size, int root) {
  (void)data, (void)size;
  if (root != 0)
    gdsm_sequential_fail("gdsm_broadcast: there is no node with this number");
}

GDSM_SEQUENTIAL_WEAK void gdsm_barrier(void) {
  if (gdsm_sequential.parallel)
    pthread_barrier_wait(&gdsm_sequential.barrier);
}

GDSM_SEQUENTIAL_WEAK struct gdsm_sequential_entry *
gdsm_sequential_find(struct gdsm_sequential_entry *entry, uint64_t number) {
  while (entry && entry->number != number)
    entry = entry->next;
  return entry;
}

GDSM_SEQUENTIAL_WEAK struct gdsm_sequential_entry *
gdsm_sequential_entry_of(uint64_t number) {
  struct gdsm_sequential_entry **bucket =
      &gdsm_sequential.buckets[number % GDSM_SEQUENTIAL_BUCKETS];
  struct gdsm_sequential_entry *entry =
      gdsm_sequential_find(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), number);
  if (entry)
    return entry;
  /* All zero is what PTHREAD_MUTEX_INITIALIZER and PTHREAD_COND_INITIALIZER
     make. */
  pthread_mutex_lock(&gdsm_sequential.mutex);
  entry = gdsm_sequential_find(*bucket, number);
  if (!entry) {
    entry = (struct gdsm_sequential_entry *)calloc(1, sizeof *entry);
    if (!entry)
      gdsm_sequential_fail("no memory left for locks; use fewer");
    entry->number = number;
    entry->next = *bucket;
    __atomic_store_n(bucket, entry, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&gdsm_sequential.mutex);
  return entry;
}

GDSM_SEQUENTIAL_WEAK gdsm_lock_t gdsm_locks_new(uint64_t count) {
  return __atomic_fetch_add(&gdsm_sequential.next_lock, count,
                            __ATOMIC_RELAXED);
}
GDSM_SEQUENTIAL_WEAK void gdsm_lock(gdsm_lock_t lock) {
  pthread_mutex_lock(&gdsm_sequential_entry_of(lock)->mutex);
}
GDSM_SEQUENTIAL_WEAK void gdsm_unlock(gdsm_lock_t lock) {
  pthread_mutex_unlock(&gdsm_sequential_entry_of(lock)->mutex);
}
GDSM_SEQUENTIAL_WEAK int64_t gdsm_fetch_add(gdsm_lock_t counter,
                                            int64_t value) {
  return __atomic_fetch_add(&gdsm_sequential_entry_of(counter)->counter, value,
                            __ATOMIC_SEQ_CST);
}

GDSM_SEQUENTIAL_WEAK void gdsm_sem_post(gdsm_lock_t semaphore, int64_t count) {
  struct gdsm_sequential_entry *entry = gdsm_sequential_entry_of(semaphore);
  if (count <= 0)
    gdsm_sequential_fail("gdsm_sem_post: add 1 or more");
  pthread_mutex_lock(&entry->semaphore_mutex);
  if (__builtin_add_overflow(entry->semaphore, count, &entry->semaphore))
    gdsm_sequential_fail("gdsm_sem_post: the semaphore would be too large");
  if (count == 1)
    pthread_cond_signal(&entry->posted);
  else
    pthread_cond_broadcast(&entry->posted);
  pthread_mutex_unlock(&entry->semaphore_mutex);
}
GDSM_SEQUENTIAL_WEAK void gdsm_sem_wait(gdsm_lock_t semaphore) {
  struct gdsm_sequential_entry *entry = gdsm_sequential_entry_of(semaphore);
  pthread_mutex_lock(&entry->semaphore_mutex);
  while (!entry->semaphore)
    pthread_cond_wait(&entry->posted, &entry->semaphore_mutex);
  --entry->semaphore;
  pthread_mutex_unlock(&entry->semaphore_mutex);
}
GDSM_SEQUENTIAL_WEAK int gdsm_sem_trywait(gdsm_lock_t semaphore) {
  struct gdsm_sequential_entry *entry = gdsm_sequential_entry_of(semaphore);
  pthread_mutex_lock(&entry->semaphore_mutex);
  int got = entry->semaphore != 0;
  entry->semaphore -= got;
  pthread_mutex_unlock(&entry->semaphore_mutex);
  return got;
}

GDSM_SEQUENTIAL_WEAK void gdsm_cond_wait(gdsm_lock_t condition,
                                         gdsm_lock_t lock) {
  pthread_cond_wait(&gdsm_sequential_entry_of(condition)->condition,
                    &gdsm_sequential_entry_of(lock)->mutex);
}
GDSM_SEQUENTIAL_WEAK void gdsm_cond_signal(gdsm_lock_t condition) {
  pthread_cond_signal(&gdsm_sequential_entry_of(condition)->condition);
}
GDSM_SEQUENTIAL_WEAK void gdsm_cond_broadcast(gdsm_lock_t condition) {
  pthread_cond_broadcast(&gdsm_sequential_entry_of(condition)->condition);
}

/* Outside of gdsm_parallel the main thread is the only one that has a value. */
#define GDSM_SEQUENTIAL_REDUCE(T, Add, member)                                 \
  {                                                                            \
    if (!gdsm_sequential.parallel)                                             \
      return value;                                                            \
    gdsm_sequential.values[gdsm_sequential_thread].member = value;             \
    gdsm_barrier();                                                            \
    T result = gdsm_sequential.values[0].member;                               \
    for (int t = 1, count = gdsm_threads(); t < count; ++t) {                  \
      T other = gdsm_sequential.values[t].member;                              \
      if (operation == GDSM_SUM)                                               \
        result = (T)((Add)result + (Add)other);                                \
      else if (operation == GDSM_MIN ? other < result : other > result)        \
        result = other;                                                        \
    }                                                                          \
    gdsm_barrier();                                                            \
    return result;                                                             \
  }
GDSM_SEQUENTIAL_WEAK double gdsm_reduce_double(double value,
                                               enum gdsm_operation operation)
    GDSM_SEQUENTIAL_REDUCE(double, double, real)
GDSM_SEQUENTIAL_WEAK int64_t gdsm_reduce_int64(int64_t value,
                                               enum gdsm_operation operation)
    GDSM_SEQUENTIAL_REDUCE(int64_t, uint64_t, integer)
#undef GDSM_SEQUENTIAL_REDUCE

#define GDSM_SEQUENTIAL_COMBINE(T, Add)                                        \
  {                                                                            \
    T *into = (T *)result;                                                     \
    const T *other = (const T *)with;                                          \
    for (size_t i = 0; i < count; ++i)                                         \
      if (operation == GDSM_SUM)                                               \
        into[i] = (T)((Add)into[i] + (Add)other[i]);                           \
      else if (operation == GDSM_MIN ? other[i] < into[i]                      \
                                     : other[i] > into[i])                     \
        into[i] = other[i];                                                    \
    return;                                                                    \
  }
GDSM_SEQUENTIAL_WEAK void
gdsm_sequential_combine(void *result, const void *with, size_t count,
                        enum gdsm_type type, enum gdsm_operation operation) {
  switch (type) {
  case GDSM_INT32:
    GDSM_SEQUENTIAL_COMBINE(int32_t, uint32_t)
  case GDSM_UINT32:
    GDSM_SEQUENTIAL_COMBINE(uint32_t, uint32_t)
  case GDSM_INT64:
    GDSM_SEQUENTIAL_COMBINE(int64_t, uint64_t)
  case GDSM_UINT64:
    GDSM_SEQUENTIAL_COMBINE(uint64_t, uint64_t)
  case GDSM_FLOAT:
    GDSM_SEQUENTIAL_COMBINE(float, float)
  case GDSM_DOUBLE:
    GDSM_SEQUENTIAL_COMBINE(double, double)
  }
}

GDSM_SEQUENTIAL_WEAK void gdsm_reduce(void *values, size_t count,
                                      enum gdsm_type type,
                                      enum gdsm_operation operation) {
  size_t size =
      type == GDSM_INT32 || type == GDSM_UINT32 || type == GDSM_FLOAT ? 4 : 8;
  if (type < GDSM_INT32 || type > GDSM_DOUBLE || operation < GDSM_SUM ||
      operation > GDSM_MAX)
    gdsm_sequential_fail("gdsm_reduce: there is no such type or operation");
  if (!gdsm_sequential.parallel)
    return;
  int own = gdsm_sequential_thread;
  gdsm_sequential.values[own].array.data = values;
  gdsm_sequential.values[own].array.count = count;
  gdsm_sequential.values[own].array.type = (int)type;
  gdsm_sequential.values[own].array.operation = (int)operation;
  gdsm_barrier();
  char *result = (char *)malloc(count * size + 1);
  if (!result)
    gdsm_sequential_fail("no memory left; reduce fewer values at a time");
  for (int t = 0, threads = gdsm_threads(); t < threads; ++t) {
    if (gdsm_sequential.values[t].array.count != count ||
        gdsm_sequential.values[t].array.type != (int)type ||
        gdsm_sequential.values[t].array.operation != (int)operation)
      gdsm_sequential_fail("gdsm_reduce: all threads have to give the same "
                           "count, type and operation");
    if (t == 0)
      memcpy(result, gdsm_sequential.values[t].array.data, count * size);
    else
      gdsm_sequential_combine(result, gdsm_sequential.values[t].array.data,
                              count, type, operation);
  }
  gdsm_barrier();
  memcpy(values, result, count * size);
  free(result);
}

GDSM_SEQUENTIAL_WEAK void gdsm_blocking(void (*function)(void *),
                                        void *argument) {
  function(argument);
}

GDSM_SEQUENTIAL_WEAK void gdsm_fetch(const void *memory, size_t size,
                                     enum gdsm_mode mode) {
  (void)memory;
  (void)size;
  (void)mode;
}
GDSM_SEQUENTIAL_WEAK void gdsm_release(const void *memory, size_t size) {
  (void)memory;
  (void)size;
}

GDSM_SEQUENTIAL_WEAK void
gdsm_get_statistics(struct gdsm_statistics *statistics) {
  memset(statistics, 0, sizeof *statistics);
}

#ifdef __cplusplus
}
#endif

#endif
