// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-31: on a machine with fewer processors than threads whoever has the protocol lock,
   or is waited for by a handshake, is often descheduled. Those that wait must give way,
   not spin through their time slices.
   Breaks without sched_yield in Dispatcher::lock and Threads::wait when the node is
   oversubscribed: the same work takes a hundred times as long.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 4 --threads-per-node=4 %t
   RUN: %dsm-run -n 2 --threads-per-node=8 %t
*/
#include "checked.h"

enum { Words = 64, Rounds = 120 };
static int64_t *words;

static void work(void *unused) {
  unsigned random = (unsigned)gdsm_thread();
  for (int i = 0; i < Rounds; ++i) {
    random = random * 1664525u + 1013904223u;
    int64_t *p = &words[(random >> 16) % Words * 4];
    before_store(p, 8);
    __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
    check_poll();
  }
  gdsm_barrier();
  int64_t sum = 0;
  for (int i = 0; i < Words; ++i)
    sum += LOAD(&words[i * 4]);
  CHECK(sum == (int64_t)Rounds * gdsm_threads());
}

int main(void) {
  if (gdsm_node() == 0)
    words = gdsm_alloc(Words * 32, 32, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
