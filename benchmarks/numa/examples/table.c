/* A table that all threads read all over, and one of them seldom changes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "example.h"

static uint64_t *table;
static size_t words;
static uint64_t found[THREADS][64];

__attribute__((noinline)) static uint64_t look(const uint64_t *in, size_t mask,
                                               size_t times, uint64_t seed) {
  uint64_t sum = 0;
  for (size_t n = 0; n < times; ++n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    sum += in[(seed >> 30) & mask];
  }
  return sum;
}

static void *work(void *argument) {
  size_t mine = (size_t)argument;
  for (size_t pass = 0; pass < passes; ++pass) {
    found[mine][0] += look(table, words - 1, words, mine * 77 + pass);
    /* What it changes is what nobody looks up: sums stay the same. */
    if (mine == 0 && pass % 16 == 8)
      table[words] = pass;
  }
  return NULL;
}

int main(int count, char **arguments) {
  read_arguments(count, arguments);
  words = 512;
  while (words * 2 * sizeof(*table) <= pages * 4096)
    words *= 2;
  table = must(malloc((words + 1) * sizeof(*table)));
  for (size_t n = 0; n <= words; ++n)
    table[n] = n * 0x9e3779b97f4a7c15u;
  run_threads(work);
  uint64_t sums[THREADS];
  for (size_t n = 0; n < THREADS; ++n)
    sums[n] = found[n][0];
  print_sum(sums, THREADS);
  print_sum(table, words);
  free(table);
  return 0;
}
