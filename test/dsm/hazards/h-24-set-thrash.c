// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-24: nodes acquire sets of many blocks in different orders, each of which takes
   what another set has just got. After a few thefts a thread holds, in ascending order.
   Breaks without Faults::hold: with 24 blocks a set hardly ever is together (this run
   does not end within two minutes); with holding in the set's own order it deadlocks.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 4 %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t
*/
#include "checked.h"

enum { Blocks = 24, Rounds = 40 };
static int64_t *words;

static void work(void *unused) {
  int me = gdsm_thread();
  for (int round = 0; round < Rounds; ++round) {
    struct graupel_dsm_range set[Blocks];
    for (int i = 0; i < Blocks; ++i) {
      /* Upwards, downwards, and by strides prime to 24. */
      int step = (int[]){1, 23, 5, 7}[me % 4];
      set[i] = (struct graupel_dsm_range){
          &words[(i * step + me) % Blocks * 16], 8 << 1 | 1};
    }
    graupel_dsm_poll_acquire(set, Blocks);
    for (int i = 0; i < Blocks; ++i)
      __atomic_fetch_add(&words[i * 16], 1, __ATOMIC_RELAXED);
    check_poll();
  }
  gdsm_barrier();
  for (int i = 0; i < Blocks; ++i)
    CHECK(LOAD(&words[i * 16]) == (int64_t)Rounds * gdsm_threads());
}

int main(void) {
  if (gdsm_node() == 0)
    words = gdsm_alloc(Blocks * 128, 128, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
