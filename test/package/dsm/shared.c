/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <graupel/dsm.h>
#include <stdio.h>

static long *numbers;
enum { COUNT = 10000 };

static void fill(void *unused) {
  (void)unused;
  for (long i = gdsm_thread(); i < COUNT; i += gdsm_threads())
    numbers[i] = i;
  gdsm_barrier();
  long sum = 0;
  for (long i = 0; i < COUNT; ++i)
    sum += numbers[i];
  if (gdsm_thread() == 0)
    printf("sum %ld\n", sum);
}

int main(void) {
  if (gdsm_node() == 0)
    numbers = gdsm_alloc(COUNT * sizeof *numbers, 0, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&numbers, sizeof numbers, 0);
  gdsm_parallel(fill, NULL);
}
