// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Data that look like invalid memory to checks by value: the pattern itself, as
   integers and numbers, and numbers that compare with nothing. They go from node to
   node bit by bit, by plain and by atomic loads, and so do halves of the pattern. */
#include <graupel/dsm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Words = 512, Rounds = 6 };
struct data {
  double numbers[Words];
  float singles[Words];
  uint64_t words[Words];
  uint32_t flag[Words];
};
static struct data *shared;

static const uint64_t kinds[] = {
    0x7ffbadc07ffbadc0u, 0x7ffbadc000000000u, 0x000000007ffbadc0u, 0x7ff8000000000000u,
    0xfff8000000001234u, 0x7ff000007ffbadc0u, 0x3ff0000000000000u, 0x0000000000000001u};

/* Which of the kinds word i holds; everything changes each round. */
static uint64_t expected(int i, int round) { return kinds[(unsigned)(i + round) % 8]; }

__attribute__((noinline)) static void put(int i, int round) {
  uint64_t bits = expected(i, round);
  uint32_t low = (uint32_t)(bits >> (i & 1) * 32);
  memcpy(&shared->numbers[i], &bits, 8);
  memcpy(&shared->singles[i], &low, 4);
  __atomic_store_n(&shared->words[i], bits, __ATOMIC_RELEASE);
  __atomic_store_n(&shared->flag[i], low, __ATOMIC_SEQ_CST);
}

/* Scattered, so that each has a check of its own. */
__attribute__((noinline)) static double number(double *p) { return *p; }
__attribute__((noinline)) static float single(float *p) { return *p; }
__attribute__((noinline)) static uint64_t word(uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
__attribute__((noinline)) static uint32_t flag(uint32_t *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }

static void check(int i, int round) {
  uint64_t bits = expected(i, round), found;
  uint32_t low = (uint32_t)(bits >> (i & 1) * 32), half;
  double d = number(&shared->numbers[i]);
  float f = single(&shared->singles[i]);
  memcpy(&found, &d, 8);
  memcpy(&half, &f, 4);
  if (found != bits || half != low || word(&shared->words[i]) != bits || flag(&shared->flag[i]) != low) {
    printf("node %d: word %d of round %d is wrong\n", gdsm_node(), i, round);
    exit(1);
  }
}

static void work(void *unused) {
  (void)unused;
  int me = gdsm_thread(), all = gdsm_threads();
  for (int round = 0; round < Rounds; ++round) {
    for (int k = me; k < Words; k += all)
      put(k * 37 % Words, round);
    gdsm_barrier();
    for (int k = 0; k < Words; ++k)
      check((k * 61 + me) % Words, round);
    gdsm_barrier();
  }
}

int main(int argc, char **argv) {
  if (gdsm_node() == 0)
    shared = gdsm_alloc(sizeof *shared, argc > 1 ? (size_t)atoi(argv[1]) : 0, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&shared, sizeof shared, 0);
  gdsm_parallel(work, NULL);
  if (gdsm_node() == 0)
    puts("all as stored");
  return 0;
}
