/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiled by clang without the configuration; also a shared library and a plug-in. */
#include "foreign.h"

static long sum(const long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += p[i];
  return s;
}
long SUM(const long *p) { return sum(p); }
#ifdef RESOLVED
static long (*resolve(void))(const long *) { return sum; }
long lib_resolved_sum(const long *p) __attribute__((ifunc("resolve")));
#endif
