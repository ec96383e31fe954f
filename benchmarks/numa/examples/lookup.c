/* A variable that all threads look up, made when the program begins.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "example.h"

enum { WORDS = 1 << 15 };
static uint64_t powers[WORDS];
static uint64_t found[THREADS][64];

static void *work(void *argument) {
  size_t mine = (size_t)argument;
  uint64_t at = mine * 77, sum = 0;
  for (size_t n = 0; n < passes * WORDS; ++n) {
    at = at * 6364136223846793005u + 1442695040888963407u;
    sum += powers[at >> 49];
  }
  found[mine][0] = sum;
  return NULL;
}

int main(int count, char **arguments) {
  read_arguments(count, arguments);
  powers[0] = 1;
  for (size_t n = 1; n < WORDS; ++n)
    powers[n] = powers[n - 1] * 0x9e3779b97f4a7c15u;
  run_threads(work);
  uint64_t sums[THREADS];
  for (size_t n = 0; n < THREADS; ++n)
    sums[n] = found[n][0];
  print_sum(sums, THREADS);
  print_sum(powers, WORDS);
  return 0;
}
