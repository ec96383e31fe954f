/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nodes take turns in calling functions of another file that have names of the C
   library's. */
#include "names.h"
#include <graupel/dsm.h>

int printf(const char *, ...);
#ifdef ONLY_FEW
#undef NAMES
#define NAMES FEW
#endif
#define F(NAME) long NAME(long *);
NAMES
#undef F

static long *shared;
static int wrong;

static void expect(const char *name, long got, long value, long wanted) {
  if (got == wanted && value == wanted)
    return;
  wrong = 1;
  printf("wrong: %s: %ld, %ld\n", name, got, value);
}

static void direct(long turn) {
  long *p = shared;
#define F(NAME)                                                                \
  expect(#NAME, NAME(p), *p, turn);                                            \
  p += 10;
  NAMES
#undef F
}

static void by_pointer(void) {
  long mine;
  long (*volatile f)(long *);
#define F(NAME)                                                                \
  mine = 5;                                                                    \
  f = NAME;                                                                    \
  expect(#NAME, f(&mine), mine, 6);
  NAMES
#undef F
}

int main(void) {
  if (gdsm_node() == 0)
    shared = gdsm_malloc(8192);
  gdsm_broadcast(&shared, sizeof shared, 0);
  for (long turn = 1; turn != 4; turn++) {
    gdsm_barrier();
    if (turn % gdsm_nodes() == gdsm_node())
      direct(turn);
  }
  gdsm_barrier();
  by_pointer();
  wrong = (int)gdsm_reduce_int64(wrong, GDSM_MAX);
  if (gdsm_node() == 0)
    printf("%s\n", wrong ? "wrong" : "all right");
  return wrong;
}
