// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread fills a matrix, four read it in parts; each also has data of its own.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline))
#define THREADS 4L
#define PART 8192L // Doubles: 16 pages.

double table[THREADS * PART] __attribute__((aligned(4096)));
double *matrix;
double sums[THREADS];

KERNEL void fill(long n) {
  for (long i = 0; i < n; ++i)
    matrix[i] = (double)i;
}

KERNEL double part(const double *from, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += from[i];
  return s;
}

KERNEL double across(const double *from, long n) {
  double s = 0;
  for (long i = 0; i < n; i += 512)
    s += from[i];
  return s;
}

static void *work(void *number) {
  long me = (long)number;
  double *own = malloc(PART * sizeof(double));
  memset(own, 0, PART * sizeof(double) - (me < 0)); // Not a calloc.
  sums[me] = part(matrix + me * PART, PART) + part(own, PART) +
             across(table, THREADS * PART);
  free(own);
  return NULL;
}

int main(void) {
  matrix = aligned_alloc(4096, THREADS * PART * sizeof(double));
  fill(THREADS * PART);
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) {
    pthread_create(&threads[i], NULL, work, (void *)i);
    pthread_join(threads[i], NULL);
  }
  free(matrix);
  return 0;
}
