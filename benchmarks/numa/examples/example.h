/* What the examples share: threads, and a sum that tells whether a page was
   lost. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };

/* The arguments: how many pages of data, how often each thread goes over its.
 */
static size_t pages = 4096, passes = 50;

static inline void read_arguments(int count, char **words) {
  if (count > 1)
    pages = strtoul(words[1], NULL, 10);
  if (count > 2)
    passes = strtoul(words[2], NULL, 10);
  if (pages < THREADS || pages % THREADS || !passes) {
    fprintf(stderr, "usage: %s [PAGES [PASSES]]; PAGES is a multiple of %d\n",
            words[0], THREADS);
    exit(2);
  }
}

static inline void *must(void *memory) {
  if (!memory) {
    fprintf(stderr, "there is not enough memory\n");
    exit(2);
  }
  return memory;
}

static inline void run_threads(void *(*work)(void *)) {
  pthread_t threads[THREADS];
  for (size_t n = 0; n < THREADS; ++n)
    if (pthread_create(&threads[n], NULL, work, (void *)n))
      exit(2);
  for (size_t n = 0; n < THREADS; ++n)
    pthread_join(threads[n], NULL);
}

static inline void print_sum(const uint64_t *words, size_t count) {
  uint64_t sum = 1469598103934665603u;
  for (size_t n = 0; n < count; ++n)
    sum = (sum ^ words[n]) * 1099511628211u;
  printf("sum %016llx\n", (unsigned long long)sum);
}

#endif
