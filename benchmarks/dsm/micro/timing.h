/*===- timing.h - Short times, and their medians ------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What microbenchmarks take times with: the processor's counter, in seconds
|* once calibrate() has run. And what code says that runs as a handler of
|* Tempest: no checks and no polls, since both may run handlers.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_BENCHMARKS_DSM_TIMING_H
#define GRAUPEL_BENCHMARKS_DSM_TIMING_H

#include "../programs/common.h"

#include <x86intrin.h>

#define IN_HANDLER GDSM_NOCHECK GDSM_NOPOLL

static double seconds_per_tick;

MAYBE_UNUSED static void calibrate(void) {
  double start = gdsm_time();
  uint64_t first = __rdtsc();
  while (gdsm_time() < start + 0.02)
    ;
  seconds_per_tick = (gdsm_time() - start) / (double)(__rdtsc() - first);
}

static int compare_ticks(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/** Prints median, tenth and 90th percentile of times in ticks, which it sorts;
    each is of `each` operations. `per_second`: 1e6 for us, 1e9 for ns. */
MAYBE_UNUSED static void report(const char *what, uint64_t *ticks, long count,
                                double each, double per_second) {
  double scale = per_second * seconds_per_tick / each;
  qsort(ticks, (size_t)count, sizeof *ticks, compare_ticks);
  printf("%s: %.3f %s p10 %.3f p90 %.3f\n", what,
         scale * (double)ticks[count / 2], per_second == 1e6 ? "us" : "ns",
         scale * (double)ticks[count / 10],
         scale * (double)ticks[count * 9 / 10]);
}

/** Prints how many messages were set aside on all nodes. Every node calls it,
    outside of gdsm_parallel. */
MAYBE_UNUSED static void report_set_aside(void) {
  struct gdsm_statistics mine;
  gdsm_get_statistics(&mine);
  int64_t aside = gdsm_reduce_int64((int64_t)mine.overflows, GDSM_SUM);
  if (gdsm_node() == 0)
    printf("set aside: %lld messages\n", (long long)aside);
}

#endif
