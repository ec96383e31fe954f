// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-16: neither the compiler nor the order of passes may move an access away from its
   check, or a check across a handshake point. Two nodes pass data by flags in compiled
   code at -O3: the flag is an atomic, the data are not.
   Breaks if checks were plain loads that later passes may move, or if a check were relied
   on across a call that ends validity.

   REQUIRES: graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O3 %s -o %t
   RUN: %dsm-run -n 2 %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t few
*/
#include "graupel/dsm.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { Rounds = 40, Words = 200 };
struct shared { _Atomic long turn; long fill[31]; long words[Words]; };

static long rounds = Rounds;

static void work(void *argument) {
  struct shared *s = argument;
  int me = gdsm_thread(), all = gdsm_threads();
  for (long round = 0; round < rounds; ++round) {
    while (atomic_load_explicit(&s->turn, memory_order_acquire) != round * all + me)
      ;
    long before = s->words[0];
    for (int i = 0; i < Words; ++i) {
      if (s->words[i] != before)
        abort();
      s->words[i] = before + 1;
    }
    if (before != round * all + me)
      abort();
    atomic_store_explicit(&s->turn, round * all + me + 1, memory_order_release);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) /* Spinning threads share processors. */
    rounds = 4;
  struct shared *s = NULL;
  if (gdsm_node() == 0)
    s = (struct shared *)gdsm_alloc(sizeof *s, 128, 0);
  gdsm_broadcast(&s, sizeof s, 0);
  gdsm_parallel(work, s);
  return 0;
}
