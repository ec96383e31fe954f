/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code without checks adds to elements that lie in blocks with those of other threads, and
   calls back checked code that misses. Nothing it adds may be lost while it holds the
   memory. Arguments: block, rounds. */
#include "foreign.h"
#include <graupel/dsm.h>
#include <stdlib.h>

enum { ELEMENTS = 512 };
static long *data, *others, rounds;

/* Reads and writes all blocks, so that they move. */
static long visit(long *p) {
  long t = gdsm_thread();
  others[(t * 37 + *p) % ELEMENTS] += 0;
  return others[(t * 91 + *p) % ELEMENTS];
}

static void work(void *unused) {
  long t = gdsm_thread(), n = gdsm_threads();
  (void)unused;
  for (long r = 0; r < rounds; r++) {
    gdsm_fetch(data, ELEMENTS * sizeof *data, GDSM_WRITE);
    gcc_add_each(data + t, n, (ELEMENTS - t + n - 1) / n, visit);
    gdsm_release(data, ELEMENTS * sizeof *data);
    if (r % 8 == 0) {
      gdsm_lock(1);
      gdsm_fetch(data, ELEMENTS / 2 * sizeof *data, GDSM_READ);
      gdsm_fetch(data + ELEMENTS / 2, ELEMENTS / 2 * sizeof *data, GDSM_READ);
      gdsm_fetch_add(2, gcc_sum(data));
      gdsm_unlock(1);
      gdsm_release(data, ELEMENTS / 2 * sizeof *data);
      gdsm_release(data + ELEMENTS / 2, ELEMENTS / 2 * sizeof *data);
    }
  }
}

int main(int argc, char **argv) {
  size_t block = strtoul(argv[1], NULL, 10);
  rounds = atol(argv[argc - 1]);
  if (gdsm_node() == 0) {
    data = gdsm_alloc(ELEMENTS * sizeof *data, block, GDSM_HOME_ROUND_ROBIN);
    others = gdsm_alloc(ELEMENTS * sizeof *data, block, GDSM_HOME_ROUND_ROBIN);
  }
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_broadcast(&others, sizeof others, 0);
  gdsm_parallel(work, NULL);
  long wrong = 0;
  for (long i = 0; i < ELEMENTS; i++)
    wrong += data[i] != rounds;
  if (gdsm_node() == 0)
    printf("%ld of %d wrong\n", wrong, ELEMENTS);
  return wrong != 0;
}
