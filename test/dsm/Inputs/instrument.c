// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that all threads of all nodes call, and shared memory that they add to. */
#include <graupel/dsm.h>
#include <stdio.h>

static long *data;

__attribute__((noinline)) void unit(long *to) { __atomic_fetch_add(to, 1, __ATOMIC_RELAXED); }

/* Called through a pointer; its only block is where it begins. */
__attribute__((noinline)) static long *element(long *of, int i) { return &of[i % 64]; }
static long *(*volatile choose)(long *, int) = element;

static void add(void *unused) {
  (void)unused;
  for (int i = 0; i < 1000; ++i)
    unit(choose(data, i));
}

int main(void) {
  if (gdsm_node() == 0)
    data = gdsm_malloc(64 * sizeof *data);
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_parallel(add, NULL);
  long sum = 0;
  for (int i = 0; gdsm_node() == 0 && i < 64; ++i)
    sum += data[i];
  if (gdsm_node() == 0)
    printf("sum %ld\n", sum);
  return 0;
}
