// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the home of a block reads stays with its writer, too: that loads it
   again without a fault, and its next store needs a permission and no contents.

   REQUIRES: clang, dsm-runtime
   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 %t 32
   RUN: %dsm-run -n 2 %t 4096
   RUN: %dsm-run -n 3 --threads-per-node=2 %t 128
*/
#include "checked.h"

enum { Rounds = 50 };
static int64_t *word;

static void work(void *unused) {
  (void)unused;
  int writer = gdsm_thread() == gdsm_threads() - 1, reader = gdsm_thread() == 0;
  struct gdsm_statistics before, after;
  for (int64_t i = 1; i <= Rounds; ++i) {
    if (writer)
      STORE(word, i);
    gdsm_barrier();
    if (reader)
      CHECK(LOAD(word) == i);
    gdsm_barrier();
    gdsm_get_statistics(&before);
    if (writer)
      CHECK(LOAD(word) == i);
    gdsm_get_statistics(&after);
    CHECK(!writer || after.load_faults == before.load_faults);
    gdsm_barrier();
  }
  gdsm_get_statistics(&after);
  CHECK(!writer || (after.get_rw == 1 && after.get_ro == 0 &&
                    after.upgrades == Rounds - 1));
}

int main(int argc, char **argv) {
  if (gdsm_node() == 0)
    word = (int64_t *)gdsm_alloc(8, (size_t)atol(argv[argc - 1]), 0);
  gdsm_broadcast(&word, sizeof word, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
