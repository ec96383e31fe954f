// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-28: whoever clears the poll flag, or goes to sleep, looks once more for messages
   that came before. Two nodes pass a word to and fro, with pauses around the times at
   which waiting threads fall asleep; what is missed is noticed only when a sleep ends
   by itself, after 100 ms (Dispatcher.cpp).
   Breaks without the second look in Transport::quiet, or if `sleep` does not compare
   what was seen before.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 %t poll
   RUN: %dsm-run -n 2 %t wait
   RUN: %dsm-run -n 2 --threads-per-node=2 %t poll
*/
#include "checked.h"
#include <time.h>

enum { Rounds = 2000 };
static int64_t *words;
static gdsm_lock_t locks;
static int polls;

static void pause_for(long nanoseconds) {
  double end = gdsm_time() + 1e-9 * (double)nanoseconds;
  while (gdsm_time() < end)
    check_poll();
}

static void work(void *unused) {
  int slow = 0, side = gdsm_node();
  if (gdsm_thread() % gdsm_threads_per_node() == 0)
    for (int i = 0; i < Rounds; ++i) {
      pause_for(i * 7919 % 150 * 1000);
      double start = gdsm_time();
      if (polls) {
        ADD(&words[i % 4 * 16], 1);
      } else {
        gdsm_lock(locks);
        gdsm_unlock(locks);
        gdsm_fetch_add(locks + (unsigned)side, 1);
      }
      slow += gdsm_time() - start > 0.09;
    }
  gdsm_barrier();
  /* A machine that is busy otherwise has a few, too. */
  if (slow > Rounds / 50) {
    fprintf(stderr, "node %d: %d of %d rounds took 90 ms or more\n", side, slow,
            Rounds);
    exit(1);
  }
}

int main(int argc, char **argv) {
  polls = *argv[1] == 'p';
  if (gdsm_node() == 0) {
    words = gdsm_alloc(4 * 128, 128, 0);
    locks = gdsm_locks_new(2);
  }
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_broadcast(&locks, sizeof locks, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
