// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-7: what the processor changes as a unit must lie in one block: 16 bytes at
   most, and blocks have 32. All threads of all nodes add to both halves of aligned
   words of 16 bytes with cmpxchg16b.
   Breaks if blocks of 8 bytes existed, or if cmpxchg16b's range were acquired in
   two calls.

   RUN: %dsm-cc -mcx16 %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t
*/
#include "checked.h"

typedef unsigned __int128 wide;
enum { Words = 4, Rounds = 400 };
static wide *words;

static void add(wide *p, uint64_t low, uint64_t high) {
  before_store(p, sizeof *p);
  uint64_t l = ((uint64_t *)p)[0], h = ((uint64_t *)p)[1];
  char done;
  do
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(done), "+m"(*p), "+a"(l), "+d"(h)
                     : "b"(l + low), "c"(h + high)
                     : "memory");
  while (!done);
}

static void work(void *unused) {
  for (int i = 0; i < Rounds; ++i) {
    add(&words[i % Words], 1, 3);
    check_poll();
  }
  gdsm_barrier();
  uint64_t low = 0, high = 0;
  for (int i = 0; i < Words; ++i) {
    wide w = LOAD(&words[i]);
    low += (uint64_t)w;
    high += (uint64_t)(w >> 64);
    CHECK((uint64_t)(w >> 64) == 3 * (uint64_t)w);
  }
  CHECK(low == (uint64_t)Rounds * gdsm_threads() && high == 3 * low);
}

int main(void) {
  if (gdsm_node() == 0)
    words = (wide *)gdsm_alloc(Words * sizeof(wide), 32, 0);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
