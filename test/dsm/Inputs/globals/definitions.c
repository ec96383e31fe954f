/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <graupel/dsm.h>

GDSM_GLOBAL int is_shared = 3;
GDSM_GLOBAL double is_large[2000];
int is_private = 4;

int *definition_of_shared(void) { return &is_shared; }
void change(void) {
  is_shared++;
  is_large[1999] += 1;
}
