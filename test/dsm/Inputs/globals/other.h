/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What variables.c and other.c know of each other. */

#ifndef OTHER_H
#define OTHER_H

#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: node %d: %s\n", __FILE__, __LINE__, gdsm_node(), \
              #condition);                                                     \
      exit(3);                                                                 \
    }                                                                          \
  } while (0)

struct point {
  double x, y;
  struct point *next;
  int *number;
};

extern GDSM_GLOBAL int from_other;
extern GDSM_GLOBAL struct point other_point;
extern GDSM_GLOBAL double other_large[100000];
int *other_address(void);
long other_count(void);

/* One in each file. */
GDSM_GLOBAL static int in_header = 11;
static inline int *address_in_header(void) { return &in_header; }
int *other_in_header(void);

#endif
