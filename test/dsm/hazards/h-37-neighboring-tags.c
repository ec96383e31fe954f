// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-37: tags of neighboring blocks are neighboring bytes. All threads change blocks of
   32 bytes side by side, so tags of one page change all the time on all nodes.
   Breaks if a tag is stored with its neighbors (storeTags in
   Memory/AccessControl.cpp), or if a page's summary permits too early or too much.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t
   RUN: %dsm-run -n 4 %t
*/
#include "checked.h"

enum { Blocks = 64, Rounds = 30 };
static int64_t *words;

static void work(void *unused) {
  int me = gdsm_thread(), all = gdsm_threads();
  for (int round = 0; round < Rounds; ++round) {
    /* Each takes every all-th block, another set each round. */
    for (int b = (me + round) % all; b < Blocks; b += all) {
      int64_t *p = &words[b * 4];
      if (round % 2 == 0 || checked_summary(p) != 0)
        before_store(p, 32);
      for (int i = 0; i < 4; ++i) {
        CHECK(p[i] == round);
        p[i] = round + 1;
      }
      check_poll();
    }
    gdsm_barrier();
  }
}

int main(void) {
  if (gdsm_node() == 0)
    words = gdsm_alloc(Blocks * 32, 32, 0);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
