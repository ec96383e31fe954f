// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-38: the tags of 64 granules are in one line of the processor's caches, so changing
   the tag of one block slows others down that have nothing to do with it
   (benchmarks/dsm measures that); it must do nothing else. One thread of node 0 and
   node 1 fight for a block, while the other thread of node 0 stores to the blocks on
   both sides, whose tags never change and which never fault.
   Breaks if tags are written more widely than their block is (a byte beyond it, or a
   load, change and store of a word).

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t
*/
#include "checked.h"

enum { Rounds = 20000, Words = 4 }; /* Of 8 bytes in 32. */
static int64_t *words;

static void fight(void) {
  for (int i = 0; i < Rounds; ++i) {
    before_store(&words[Words], 8);
    __atomic_fetch_add(&words[Words], 1, __ATOMIC_RELAXED);
    check_poll();
  }
}

static void look_on(void) {
  for (int i = 0; i < 20 * Rounds; ++i) {
    int64_t *p = &words[i % 2 * 2 * Words];
    CHECK(checked_tag(p) == 0);
    *(volatile int64_t *)p += 1;
    check_poll();
  }
}

static void work(void *unused) {
  if (gdsm_thread() == 1) {
    STORE(&words[0], 0);
    STORE(&words[2 * Words], 0);
  }
  gdsm_barrier();
  if (gdsm_thread() == 1)
    look_on();
  else if (gdsm_thread() != 3)
    fight();
  gdsm_barrier();
  CHECK(LOAD(&words[Words]) == 2 * Rounds);
  CHECK(LOAD(&words[0]) == 10 * Rounds && LOAD(&words[2 * Words]) == 10 * Rounds);
}

int main(void) {
  if (gdsm_node() == 0)
    words = (int64_t *)gdsm_alloc(32 * 3, 32, 1);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
