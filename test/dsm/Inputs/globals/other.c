/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The other object of variables.c. */

#include "other.h"

GDSM_GLOBAL int from_other = 5;
GDSM_GLOBAL double other_large[100000];
GDSM_GLOBAL struct point other_point = {1, 2, &other_point, &from_other};

int *other_address(void) { return &from_other; }
int *other_in_header(void) { return address_in_header(); }

long other_count(void) {
  static GDSM_GLOBAL long calls = 1000;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
}
