/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions whose names stand for private results, and one that callers do not expect
   to look at shared memory. */
#include <graupel/dsm.h>

static long *scale;
static int in_shared;

char *strdup(const char *s) {
  char *copy = in_shared ? gdsm_malloc(32) : __builtin_malloc(32);
  for (int i = 0; i < 32 && (copy[i] = s[i]); i++)
    ;
  return copy;
}
void set_up(int shared) {
  in_shared = shared;
  scale = gdsm_malloc(8);
  *scale = 2;
}
#ifdef RESERVED
double round(double x) { return x * (double)*scale; }
#endif
