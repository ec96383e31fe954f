// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-32: several threads of a node that fault on one block send one request, and faults
   for what has arrived meanwhile are harmless.
   Breaks if the table asks again in a transient state; see also the simulated nodes of
   StacheHazards.H32_* and StacheBroken.H32_*.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=4 %t
   RUN: graupel-dsm-unit-tests --gtest_filter=*H32_* | FileCheck %s
   CHECK: [  PASSED  ] {{[2-9]}}
*/
#include "checked.h"

enum { Blocks = 200 };
static int64_t *words;

static void work(void *unused) {
  int local = gdsm_thread() % gdsm_threads_per_node();
  if (gdsm_node() == 0 && local == 0)
    for (int i = 0; i < Blocks; ++i)
      STORE(&words[i * 16], (int64_t)i);
  gdsm_barrier();
  struct gdsm_statistics before, after;
  if (gdsm_node() == 1)
    gdsm_get_statistics(&before);
  gdsm_barrier();
  if (gdsm_node() == 1)
    for (int i = 0; i < Blocks; ++i)
      CHECK(LOAD(&words[i * 16]) == i);
  gdsm_barrier();
  if (gdsm_node() != 1)
    return;
  gdsm_get_statistics(&after);
  CHECK(after.get_ro - before.get_ro == Blocks);
  CHECK(after.load_faults - before.load_faults >= Blocks);
}

int main(void) {
  if (gdsm_node() == 0)
    words = gdsm_alloc(Blocks * 128, 128, 0);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
