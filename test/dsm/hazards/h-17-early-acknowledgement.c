// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-17: with several threads a node may acknowledge an invalidation only after its
   own threads have stopped using the block. A writer on the last node stores X and
   then Y; on each other node thread A reads Y and tells thread B, which has checked X
   meanwhile and reads it late. B must not read an X that is older.
   Breaks without the handshake for ReadOnly -> Invalid (changeTags in
   Tempest/Blocks.cpp), and if fills with the sentinel come before it. The protocol's
   part is StacheBroken.H17_AcknowledgesBeforeTheCopyIsGone.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t 2000
   RUN: %dsm-run -n 3 --threads-per-node=3 %t 100
   RUN: graupel-dsm-unit-tests --gtest_filter=*H17_* | FileCheck %s
   CHECK: [  PASSED  ] {{[1-9]}}
*/
#include "checked.h"
#include <sched.h>

static int64_t rounds;
static struct { int64_t value, fill[15]; } *shared; /* X, Y, end, what A has seen. */
static int64_t told;

static void write_both(void) {
  for (int64_t r = 1; r <= rounds; ++r) {
    STORE(&shared[0].value, r);
    STORE(&shared[1].value, r);
    while (LOAD(&shared[3].value) < r)
      check_poll(), sched_yield();
  }
  STORE(&shared[2].value, (int64_t)1);
}

static void read_both(int first) {
  while (!LOAD(&shared[2].value)) {
    if (first) {
      int64_t y = LOAD(&shared[1].value);
      __atomic_store_n(&told, y, __ATOMIC_RELEASE);
      if (gdsm_node() == 0 && LOAD(&shared[3].value) < y)
        STORE(&shared[3].value, y);
    } else {
      before_load(&shared[0].value, 8);
      /* No handshake point from here ... */
      sched_yield();
      int64_t y = __atomic_load_n(&told, __ATOMIC_ACQUIRE);
      int64_t x = *(volatile int64_t *)&shared[0].value;
      /* ... to here. */
      CHECK(x >= y && x <= rounds);
    }
    check_poll();
    sched_yield(); /* Threads may be more than processors. */
  }
}

static void work(void *unused) {
  int local = gdsm_thread() % gdsm_threads_per_node();
  if (gdsm_node() != gdsm_nodes() - 1)
    read_both(local == 0);
  else if (local == 0)
    write_both();
}

int main(int argc, char **argv) {
  rounds = atoi(argv[1]);
  if (gdsm_node() == 0)
    shared = gdsm_alloc(4 * sizeof *shared, sizeof *shared, gdsm_nodes() - 1);
  gdsm_broadcast(&shared, sizeof shared, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
