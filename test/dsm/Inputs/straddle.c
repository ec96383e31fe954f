/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A store and loads through pointers that are misaligned for their type, across the end of a
   block of which a node has the first one only. */
#include <graupel/dsm.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char *page;
enum { Edge = 4096, Rounds = 20 };

__attribute__((noinline)) static uint64_t load(char *p, long at) { return *(uint64_t *)(p + at); }
__attribute__((noinline)) static void store(char *p, long at, uint64_t x) { *(uint64_t *)(p + at) = x; }
__attribute__((noinline)) static void touch(char *p, long at) { *(volatile char *)(p + at) = 0; }

int main(void) {
  if (gdsm_node() == 0)
    page = gdsm_alloc(2 * Edge, 0, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&page, sizeof page, 0);
  int bad = 0;
  for (int round = 1; round <= Rounds; ++round) {
    uint64_t all = 0x0101010101010101u * (unsigned)round;
    if (gdsm_node() == 1)
      memset(page, round, 2 * Edge);
    gdsm_barrier();
    if (gdsm_node() == 0) {
      touch(page, Edge - 20);
      bad += load(page, Edge - 4) != all;
    }
    gdsm_barrier();
    if (gdsm_node() == 1)
      touch(page, Edge + 20);
    gdsm_barrier();
    if (gdsm_node() == 0)
      store(page, Edge - 4, ~all);
    gdsm_barrier();
    if (gdsm_node() == 1)
      bad += load(page, Edge - 4) != ~all;
    gdsm_barrier();
  }
  if (gdsm_reduce_int64(bad, GDSM_SUM) == 0 && gdsm_node() == 0)
    puts("right");
  return bad != 0;
}
