/* A matrix whose blocks of rows belong to threads in turn, as in a
   factorisation. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "example.h"

/* A block of rows is 16 pages. */
enum { BLOCK = 16 * 4096 / sizeof(uint64_t) };

static uint64_t *matrix;
static size_t blocks;

__attribute__((noinline)) static void update(uint64_t *block) {
  for (size_t n = 0; n < BLOCK; ++n)
    block[n] = block[n] * 3 + n;
}

static void *work(void *argument) {
  for (size_t pass = 0; pass < passes; ++pass)
    for (size_t block = (size_t)argument; block < blocks; block += THREADS)
      update(matrix + block * BLOCK);
  return NULL;
}

int main(int count, char **arguments) {
  read_arguments(count, arguments);
  blocks = pages / 16;
  matrix = must(malloc(blocks * BLOCK * sizeof(*matrix)));
  for (size_t n = 0; n < blocks * BLOCK; ++n)
    matrix[n] = n;
  run_threads(work);
  print_sum(matrix, blocks * BLOCK);
  free(matrix);
  return 0;
}
