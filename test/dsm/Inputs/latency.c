// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a miss costs: node 1 loads, stores and upgrades blocks of idle node 0, one
   after the other. Argument: block size. */
#include "checked.h"

enum { Blocks = 20000 };

static uint64_t ticks(void) {
  uint32_t low, high;
  __asm__ volatile("lfence\n rdtsc" : "=a"(low), "=d"(high) : : "memory");
  return low | (uint64_t)high << 32;
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static uint64_t times[Blocks];

static void report(const char *what, double seconds_per_tick, size_t block) {
  qsort(times, Blocks, sizeof *times, by_value);
  printf("%s %zu bytes: p10 %.2f us, p50 %.2f us, p90 %.2f us\n", what, block,
         1e6 * seconds_per_tick * (double)times[Blocks / 10],
         1e6 * seconds_per_tick * (double)times[Blocks / 2],
         1e6 * seconds_per_tick * (double)times[Blocks / 10 * 9]);
}

int main(int argc, char **argv) {
  size_t block = argc > 1 ? (size_t)atol(argv[1]) : 128;
  char *p = NULL, *q = NULL;
  if (gdsm_node() == 0) {
    p = (char *)gdsm_alloc(Blocks * block, block, 0);
    q = (char *)gdsm_alloc(Blocks * block, block, 0);
  }
  gdsm_broadcast(&p, sizeof p, 0);
  gdsm_broadcast(&q, sizeof q, 0);
  for (size_t i = 0; i < Blocks && gdsm_node() == 0; ++i) {
    STORE(p + i * block, 1);
    STORE(q + i * block, 1);
  }
  gdsm_barrier();
  if (gdsm_node() == 1) {
    double start = gdsm_time();
    uint64_t first = ticks();
    long sum = 0;
    for (size_t i = 0; i < Blocks; ++i) {
      uint64_t t = ticks();
      sum += LOAD(p + i * block);
      times[i] = ticks() - t;
    }
    CHECK(sum == Blocks);
    double rate = (gdsm_time() - start) / (double)(ticks() - first);
    report("load ", rate, block);
    for (size_t i = 0; i < Blocks; ++i) {
      uint64_t t = ticks();
      STORE(p + i * block, 2);
      times[i] = ticks() - t;
    }
    report("upgrade ", rate, block);
    for (size_t i = 0; i < Blocks; ++i) {
      uint64_t t = ticks();
      STORE(q + i * block, 2);
      times[i] = ticks() - t;
    }
    report("store ", rate, block);
  }
  gdsm_barrier();
  return 0;
}
