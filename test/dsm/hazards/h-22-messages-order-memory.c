// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-22: programs have no messages of their own in this model, but calls of dsm.h that
   go by message (counters, locks, reductions, broadcasts): each orders the caller's
   shared stores before it, and the receiver's loads behind it.
   Breaks if a store could still be under way when a call sends (stores that do not
   wait for their misses).

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 3 %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t
*/
#include "checked.h"

enum { Rounds = 200, Words = 64 };
static int64_t *words;
static gdsm_lock_t locks;

static void work(void *unused) {
  int me = gdsm_thread(), all = gdsm_threads();
  for (int round = 0; round < Rounds; ++round) {
    /* Whose turn it is writes all, and tells by counter. */
    if (round % all == me) {
      for (int i = 0; i < Words; ++i)
        STORE(&words[i], (int64_t)round + 1);
      gdsm_fetch_add(locks, 1);
    } else {
      while (gdsm_fetch_add(locks, 0) <= round)
        check_poll();
      for (int i = Words - 1; i >= 0; --i)
        CHECK(LOAD(&words[i]) == round + 1);
    }
    /* By a reduction. */
    gdsm_reduce_int64(0, GDSM_SUM);
    STORE(&words[me], -1 - (int64_t)round);
    gdsm_reduce_int64(0, GDSM_MAX);
    for (int i = 0; i < all; ++i)
      CHECK(LOAD(&words[i]) == -1 - (int64_t)round);
    gdsm_reduce_double(0, GDSM_SUM);
    /* By a lock. */
    gdsm_lock(locks + 1);
    int64_t first = LOAD(&words[Words - 1]);
    for (int i = all; i < Words; ++i)
      CHECK(LOAD(&words[i]) == first);
    for (int i = all; i < Words; ++i)
      STORE(&words[i], first + 7);
    gdsm_unlock(locks + 1);
    gdsm_barrier();
  }
}

int main(void) {
  if (gdsm_node() == 0) {
    words = gdsm_alloc(Words * 8, 32, GDSM_HOME_ROUND_ROBIN);
    locks = gdsm_locks_new(2);
  }
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_broadcast(&locks, sizeof locks, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
