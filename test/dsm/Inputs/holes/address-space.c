/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Another address space, the same memory. */
#include <graupel/dsm.h>
#include <stdio.h>
#include <string.h>

typedef const char other __attribute__((address_space(1)));

int main(void) {
  char *shared = NULL;
  if (gdsm_node() == 0)
    strcpy(shared = gdsm_malloc(4096), "written on node 0");
  gdsm_broadcast(&shared, sizeof shared, 0);
  gdsm_barrier();
  if (gdsm_node() == 1) {
    other *p = (other *)shared;
    printf("%c%c%c\n", p[0], p[1], p[2]);
  }
  gdsm_barrier();
}
