/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs of ways have in common. Who includes it has N, the result of all. */
#ifndef WAY_H
#define WAY_H
#include <graupel/dsm.h>
#include <stdio.h>
#include <string.h>

/* In a function that gets the way's name. */
#define WAY(NAME, ...)                                                                             \
  if (strcmp(way, NAME) == 0)                                                                      \
    return __VA_ARGS__

/* Node 1 goes the way, whose result has to be N, and says so; the exit status. */
static inline int on_node_1(long (*go)(const char *way), const char *way) {
  long result = gdsm_node() == 1 ? go(way) : N;
  gdsm_barrier();
  if (gdsm_node() == 1)
    printf("%s: %ld\n", way, result);
  return result != N;
}
#endif
