/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Variables of a library (definitions.c), and the program's own. */

#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

extern GDSM_GLOBAL int is_shared;
extern GDSM_GLOBAL double is_large[2000];
int *definition_of_shared(void);
void change(void);

GDSM_GLOBAL int own = 1;
static int *pointers[] = {&is_shared, &own};

static void work(void *unused) {
  int all = gdsm_threads();
  gdsm_lock(1);
  is_shared++;
  change();
  own++;
  is_large[1999] += 1;
  gdsm_unlock(1);
  gdsm_barrier();
  if (is_shared != 3 + 2 * all || *pointers[0] != is_shared ||
      *pointers[1] != 1 + all || &is_shared != definition_of_shared() ||
      is_large[1999] != 2 * all)
    exit(3);
}

int main(void) {
  gdsm_parallel(work, NULL);
  if (gdsm_node() == 0)
    printf("right on %d nodes\n", gdsm_nodes());
  return 0;
}
