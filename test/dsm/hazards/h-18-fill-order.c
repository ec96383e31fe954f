/* H-18: data first, then the tag that permits them. While one thread of a node waits
   for a block, others look at its tag all the time, and read the block the moment it
   permits. All words must be of one version; the last one, which is copied last, is
   read first.
   Breaks if putBlocks (Tempest/Blocks.cpp) changes tags before it copies.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=3 %t
*/
#include "checked.h"

enum { Words = 512, Rounds = 3000 };
static int64_t *words, *end;

static void writes(void) {
  for (int64_t r = 1; r <= Rounds; ++r) {
    graupel_dsm_store(words, Words * 8);
    for (int i = 0; i < Words; ++i)
      words[i] = r;
    for (int i = 0; i < 30; ++i)
      check_poll();
  }
  STORE(end, (int64_t)1);
}

static void reads(int asks) {
  int64_t last = 0;
  while (!LOAD(end)) {
    if (asks)
      graupel_dsm_load(words, Words * 8);
    if (checked_tag(&words[Words - 1]) >= 0) {
      int64_t v = *(volatile int64_t *)&words[Words - 1];
      CHECK(v >= last);
      for (int i = Words - 2; i >= 0; i -= 17)
        CHECK(*(volatile int64_t *)&words[i] == v);
      last = v;
    }
    check_poll();
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
  }
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_broadcast(&end, sizeof end, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
