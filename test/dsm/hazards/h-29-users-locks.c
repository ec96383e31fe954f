// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-29: locks of the program are held while a thread misses, and are waited for while
   others want what the waiting thread's node has. No code of the program runs under
   the protocol lock, and a thread that waits for a lock of either kind is offline, so
   no cycle of locks, blocks and handshakes can close. Here each does with each: locks
   between nodes taken under mutexes of a node and the other way about, misses under
   both.
   Breaks (hangs) if pthread_mutex_lock or gdsm_lock waited online, or with the protocol
   lock.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=3 %t
   RUN: %dsm-run -n 3 --threads-per-node=2 %t
*/
#include "checked.h"
#include <pthread.h>

enum { Rounds = 600 };
static int64_t *words;
static gdsm_lock_t between;
static pthread_mutex_t within[2] = {PTHREAD_MUTEX_INITIALIZER,
                                    PTHREAD_MUTEX_INITIALIZER};

static void work(void *unused) {
  for (int i = 0; i < Rounds; ++i) {
    /* A node's mutex first, a miss under it, then the nodes' lock. */
    pthread_mutex_lock(&within[0]);
    ADD(&words[16 * (1 + gdsm_node())], 1);
    gdsm_lock(between);
    ADD(&words[0], 1);
    check_poll();
    /* Under both; nobody takes these two in the other order. */
    pthread_mutex_lock(&within[1]);
    ADD(&words[16 * 9], 1);
    pthread_mutex_unlock(&within[1]);
    gdsm_unlock(between);
    pthread_mutex_unlock(&within[0]);
    /* A miss under the inner mutex only. */
    pthread_mutex_lock(&within[1]);
    (void)LOAD(&words[0]);
    (void)LOAD(&words[16 * (1 + (gdsm_node() + 1) % gdsm_nodes())]);
    pthread_mutex_unlock(&within[1]);
    check_poll();
  }
}

int main(void) {
  if (gdsm_node() == 0) {
    words = (int64_t *)gdsm_alloc(10 * 128, 128, GDSM_HOME_ROUND_ROBIN);
    between = gdsm_locks_new(1);
  }
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_broadcast(&between, sizeof between, 0);
  gdsm_parallel(work, NULL);
  CHECK(LOAD(&words[0]) == (int64_t)Rounds * gdsm_threads());
  CHECK(LOAD(&words[16 * 9]) == (int64_t)Rounds * gdsm_threads());
  CHECK(LOAD(&words[16 * (1 + gdsm_node())]) ==
        (int64_t)Rounds * gdsm_threads_per_node());
  gdsm_barrier();
  return 0;
}
