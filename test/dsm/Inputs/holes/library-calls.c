/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Library functions that hand shared memory on to checked code. */
#define _GNU_SOURCE
#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void at_exit(int status, void *number) {
  (void)status;
  printf("exit with %d\n", *(int *)number);
}

__attribute__((noinline)) static void use(int *numbers) {
  int key = 7;
  int *found = bsearch(&key, numbers, 16, sizeof key, compare);
  printf("found %d\n", found ? *found : -1);
  static int mine = 7;
  on_exit(at_exit, &mine);
}

int main(void) {
  int *numbers = NULL;
  if (gdsm_node() == 0) {
    numbers = gdsm_malloc(4096);
    for (int i = 0; i < 16; ++i)
      numbers[i] = i;
  }
  gdsm_broadcast(&numbers, sizeof numbers, 0);
  gdsm_barrier();
  if (gdsm_node() == 1)
    use(numbers);
  gdsm_barrier();
}
