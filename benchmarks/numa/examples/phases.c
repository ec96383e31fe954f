/* In its second phase each part of the data belongs to another thread.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "example.h"

static uint64_t *field;
static size_t words;
static pthread_barrier_t all;

__attribute__((noinline)) static void scatter(uint64_t *part, size_t count) {
  for (size_t n = 0; n < count; ++n)
    part[n] = part[n] * 5 + n;
}

__attribute__((noinline)) static void gather(uint64_t *part, size_t count) {
  for (size_t n = 0; n < count; ++n)
    part[n] = part[n] * 7 + 1;
}

static void *work(void *argument) {
  size_t part = words / THREADS, mine = (size_t)argument;
  for (size_t pass = 0; pass < passes; ++pass)
    scatter(field + mine * part, part);
  pthread_barrier_wait(&all);
  mine = (mine + 1) % THREADS;
  for (size_t pass = 0; pass < passes; ++pass)
    gather(field + mine * part, part);
  return NULL;
}

int main(int count, char **arguments) {
  read_arguments(count, arguments);
  pthread_barrier_init(&all, NULL, THREADS);
  words = pages * 4096 / sizeof(*field);
  field = must(malloc(words * sizeof(*field)));
  for (size_t n = 0; n < words; ++n)
    field[n] = n;
  run_threads(work);
  print_sum(field, words);
  free(field);
  return 0;
}
