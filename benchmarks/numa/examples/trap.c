/* One thread initializes what others work on: all pages are on its node.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "example.h"

static uint64_t *grid;
static size_t words;

__attribute__((noinline)) static void relax(uint64_t *part, size_t count) {
  for (size_t n = 0; n < count; ++n)
    part[n] = part[n] * 5 + n;
}

static void *work(void *argument) {
  size_t part = words / THREADS;
  for (size_t pass = 0; pass < passes; ++pass)
    relax(grid + (size_t)argument * part, part);
  return NULL;
}

int main(int count, char **arguments) {
  read_arguments(count, arguments);
  words = pages * 4096 / sizeof(*grid);
  grid = must(malloc(words * sizeof(*grid)));
  for (size_t n = 0; n < words; ++n)
    grid[n] = n;
  run_threads(work);
  print_sum(grid, words);
  free(grid);
  return 0;
}
