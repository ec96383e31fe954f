// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-18: data first, then the tag that permits them. While one thread of a node waits
   for a block, others look at its tag all the time, and read the block the moment it
   permits. All words must be of one version; the last one, which is copied last, is
   read first.
   Breaks if putBlocks (Tempest/Blocks.cpp) changes tags before it copies.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t
*/
#include "checked.h"
#include <sched.h>

enum { Words = 512, Rounds = 1500 };
static int64_t *words, *end, *seen;

static void writes(void) {
  for (int64_t r = 1; r <= Rounds; ++r) {
    graupel_dsm_store(words, Words * 8);
    for (int i = 0; i < Words; ++i)
      words[i] = r;
    while (LOAD(seen) < r)
      check_poll(), sched_yield();
  }
  STORE(end, (int64_t)1);
}

static void reads(int asks) {
  int64_t last = 0;
  while (!LOAD(end)) {
    if (asks) {
      graupel_dsm_load(words, Words * 8);
      STORE(seen, LOAD(words));
    }
    if (checked_tag(&words[Words - 1]) >= 0) {
      int64_t v = *(volatile int64_t *)&words[Words - 1];
      CHECK(v >= last);
      for (int i = Words - 2; i >= 0; i -= 17)
        CHECK(*(volatile int64_t *)&words[i] == v);
      last = v;
    }
    check_poll();
    if (asks) /* Threads may be more than processors. */
      sched_yield();
  }
}

static void work(void *unused) {
  int local = gdsm_thread() % gdsm_threads_per_node();
  if (gdsm_node() == 0)
    reads(local == 0);
  else if (local == 0)
    writes();
}

int main(void) {
  if (gdsm_node() == 0) {
    words = gdsm_alloc(Words * 8, 4096, 1);
    end = gdsm_alloc(8, 0, 1);
    seen = gdsm_alloc(8, 0, 1);
  }
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_broadcast(&end, sizeof end, 0);
  gdsm_broadcast(&seen, sizeof seen, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
