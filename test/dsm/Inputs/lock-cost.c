// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What it costs to take and release a lock that nobody else wants: one of this
   node, a mutex, and the mutex once more, in turns; the medians of many. */
#include "graupel/dsm.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { Rounds = 21, Turns = 200000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double with_lock(gdsm_lock_t lock) {
  double start = now();
  for (int i = 0; i < Turns; ++i) {
    gdsm_lock(lock);
    gdsm_unlock(lock);
  }
  return (now() - start) / Turns;
}

static double with_mutex(void) {
  double start = now();
  for (int i = 0; i < Turns; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return (now() - start) / Turns;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  double times[3][Rounds];
  gdsm_lock_t nodes = (gdsm_lock_t)gdsm_nodes();
  gdsm_lock_t own = nodes * 1000 + (gdsm_lock_t)gdsm_node();
  for (int i = 0; i < Rounds; ++i) {
    times[0][i] = with_lock(own);
    times[1][i] = with_mutex();
    times[2][i] = with_mutex();
  }
  for (int k = 0; k < 3; ++k)
    qsort(times[k], Rounds, sizeof(double), by_value);
  printf("ns: lock %.1f, mutex %.1f, mutex again %.1f\n", times[0][Rounds / 2],
         times[1][Rounds / 2], times[2][Rounds / 2]);
  return 0;
}
