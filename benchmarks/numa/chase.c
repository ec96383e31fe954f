/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * chase PROCESSOR MEGABYTES: nanoseconds of a dependent load from memory.
 *
 * One cycle through every fourth line of a buffer: these are more than any cache
 * holds, and a line is used again only when all others have been. The order is
 * random within groups of as many pages as processors remember the places of.
 * Prints the least of many samples.
 * Shares no code with `graupel numa bench`, which it is compared with. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { APART = 256, GROUP = 8 << 20, STEPS = 1 << 14, SAMPLES = 120 };

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(atoi(argv[1]), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    return 1;
  size_t bytes = (size_t)atoi(argv[2]) << 20, lines = bytes / APART;
  char *buffer = aligned_alloc(2 << 20, bytes);
  uint32_t *order = malloc(lines * sizeof *order);
  if (!buffer || !order)
    return 1;
  madvise(buffer, bytes, MADV_HUGEPAGE);
  for (size_t i = 0; i < lines; i++)
    order[i] = (uint32_t)i;
  const size_t each = GROUP / APART;
  for (uint32_t *group = order; group < order + lines; group += each)
    for (size_t i = each - 1; i > 0; i--) {
      size_t j = next_random() % (i + 1);
      uint32_t t = group[i];
      group[i] = group[j];
      group[j] = t;
    }
  for (size_t i = 0; i < lines; i++)
    *(void **)(buffer + (size_t)order[i] * APART) =
        buffer + (size_t)order[(i + 1) % lines] * APART;
  void **at = (void **)buffer;
  double least = 1e9;
  for (int sample = 0; sample < SAMPLES; sample++) {
    double start = seconds();
    for (int i = 0; i < STEPS; i++)
      at = (void **)*at;
    /* The chain is used, so that it is walked. */
    __asm__ volatile("" : "+r"(at));
    double each = (seconds() - start) / STEPS * 1e9;
    if (each < least)
      least = each;
  }
  printf("%.4f\n", least);
  return 0;
}
