// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-21: threads that spin on a word see it change, and let the node's other work be
   done. With a table check, and with the sentinel check, whose copy is only replaced
   when the thread lets the protocol work.
   Breaks if graupel_dsm_poll did nothing (both hang). That the passes leave the load
   and the poll in the loop: Fgdsm tests, see README.md.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 3 %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t
*/
#include "checked.h"

enum { Rounds = 60 };
static int64_t *turn;

static void work(void *unused) {
  int me = gdsm_thread(), all = gdsm_threads();
  for (int i = 0; i < Rounds; ++i) {
    int64_t mine = (int64_t)i * all + me;
    while ((i % 2 ? LOAD(turn) : LOAD_SENTINEL(turn)) != mine)
      check_poll();
    STORE(turn, mine + 1);
  }
}

int main(void) {
  if (gdsm_node() == 0)
    turn = gdsm_alloc(8, 0, 0);
  gdsm_broadcast(&turn, sizeof turn, 0);
  gdsm_parallel(work, NULL);
  CHECK(LOAD(turn) == (int64_t)Rounds * gdsm_threads());
  return 0;
}
