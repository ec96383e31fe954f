// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-23: a block must not be taken away before the access that waited for it, or nobody
   gets on. All threads of all nodes fight for one word, and for two blocks at a time.
   Breaks if a waiting thread goes on serving after its own condition holds
   (Dispatcher::await): with these numbers it takes minutes, or for ever.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 4 %t 500
   RUN: %dsm-run -n 3 --threads-per-node=2 %t 300
*/
#include "checked.h"

static int64_t *words;
static int rounds;

static void add(int64_t *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }

static void work(void *unused) {
  for (int i = 0; i < rounds; ++i) {
    before_store(words, 8);
    add(words);
    check_poll();
    struct graupel_dsm_range set[] = {{&words[16], 8 << 1 | 1},
                                      {&words[32], 8 << 1 | 1}};
    graupel_dsm_poll_acquire(set, 2);
    CHECK(gdsm_threads_per_node() > 1 || words[16] == words[32]);
    add(&words[16]);
    add(&words[32]);
  }
  gdsm_barrier();
  for (int i = 0; i < 3; ++i)
    CHECK(LOAD(&words[16 * i]) == (int64_t)rounds * gdsm_threads());
}

int main(int argc, char **argv) {
  rounds = atoi(argv[1]);
  if (gdsm_node() == 0)
    words = gdsm_alloc(3 * 128, 128, 0);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
