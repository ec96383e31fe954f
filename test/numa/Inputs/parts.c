/* Threads fill and use a part each of what the first one has allocated, and that
   one has filled a block at once. SPDX-License-Identifier: Apache-2.0 WITH
   LLVM-exception */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, PART = 256 * 512, BLOCK = 8 << 20 };

static double *field;
static unsigned char *volatile block;

static void *work(void *argument) {
  double *part = field + (size_t)argument * PART;
  for (size_t n = 0; n < PART; ++n)
    part[n] = (double)n;
  for (int pass = 0; pass < 40; ++pass)
    for (size_t n = 1; n < PART; ++n)
      part[n] += part[n - 1];
  return NULL;
}

int main(int count, char **arguments) {
  (void)arguments;
  pthread_t threads[THREADS];
  field = malloc(sizeof(double) * THREADS * PART);
  block = malloc(BLOCK);
  memset((void *)block, count, BLOCK);
  for (size_t n = 0; n < THREADS; ++n)
    pthread_create(&threads[n], NULL, work, (void *)n);
  for (size_t n = 0; n < THREADS; ++n)
    pthread_join(threads[n], NULL);
  printf("%g %d\n", field[PART - 1], block[BLOCK / 2]);
}
