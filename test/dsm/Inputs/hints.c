// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One node fills a matrix, another one reads it row by row and walks a list.

#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 256, COLUMNS = 512 };
static double *matrix;
static int *next;

static void fill(void *unused) {
  (void)unused;
  if (gdsm_thread() == 0) {
    for (long i = 0; i < ROWS * COLUMNS; ++i)
      matrix[i] = (double)(i % 1000);
    for (long i = 0; i < 1 << 14; ++i)
      next[i] = (int)(i * 40503 % (1 << 14));
  }
  gdsm_barrier();
}

static void work(void *unused) {
  (void)unused;
  double sum = 0;
  long at = 1;
  if (gdsm_thread() == gdsm_threads() - 1) {
    for (long r = 0; r < ROWS; ++r)
      for (long c = 0; c < COLUMNS; ++c)
        sum += matrix[r * COLUMNS + c];
    for (long i = 0; i < 2000; ++i)
      at = next[at];
  }
  sum = gdsm_reduce_double(sum + (double)at, GDSM_SUM);
  if (gdsm_thread() == 0)
    printf("sum %.0f\n", sum);
}

int main(void) {
  if (gdsm_node() == 0) {
    matrix = gdsm_alloc(ROWS * COLUMNS * sizeof *matrix, 0, 0);
    next = gdsm_alloc((1 << 14) * sizeof *next, 0, 0);
  }
  gdsm_broadcast(&matrix, sizeof matrix, 0);
  gdsm_broadcast(&next, sizeof next, 0);
  gdsm_parallel(fill, NULL);
  gdsm_parallel(work, NULL);
  struct gdsm_statistics s;
  gdsm_get_statistics(&s);
  if (gdsm_node() == gdsm_nodes() - 1)
    printf("messages %lu faults %lu bytes %lu\n", s.messages, s.load_faults,
           s.message_bytes);
  return 0;
}
