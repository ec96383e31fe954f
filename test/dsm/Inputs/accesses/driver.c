/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs the operations of generate.py on shared memory, each node its own, and all of them on
   a private model on every node; compares what they read, and the memory at the end of steps. */
#include <graupel/dsm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t function(char *memory, char *scratch, long offset);
struct call {
  int step, node, index;
  long offset;
  function *shared, *plain;
};
#include "calls.inc"
enum { Calls = sizeof calls / sizeof *calls };

static char *memory, scratch[8192], scratches[64][8192];
static _Alignas(4096) char model[BYTES + 4096];

static void fail(const struct call *c, const char *what, long at) {
  printf("WRONG: %s: node %d, step %d, op%d at offset %ld, byte %ld\n", what, gdsm_node(), c->step,
         c->index, c->offset, at);
  exit(1);
}

static void compare(const struct call *c) {
  for (long i = 0; i < BYTES; ++i)
    if (memory[i] != model[i])
      fail(c, "memory differs", i);
}

/* How many faults it takes to write a page that is at home elsewhere tells the block. */
static long measureBlock(void) {
  static char *page;
  struct gdsm_statistics before, after;
  if (gdsm_node() == 0)
    page = gdsm_alloc(4096, 0, gdsm_nodes() - 1);
  gdsm_broadcast(&page, sizeof page, 0);
  long block = 0;
  if (gdsm_node() == 0) {
    gdsm_get_statistics(&before);
    for (long i = 0; i < 4096; i += 32)
      *(volatile char *)(page + i) = 1;
    gdsm_get_statistics(&after);
    block = 4096 / (long)(after.store_faults - before.store_faults);
  }
  gdsm_barrier();
  return block;
}

int main(void) {
  int me = gdsm_node(), nodes = gdsm_nodes();
  long block = measureBlock();
  if (me == 0)
    memory = gdsm_alloc(BYTES, 0, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&memory, sizeof memory, 0);
  /* What is compared now and then stays where it was written otherwise. */
  for (int i = 0; i < Calls; ++i) {
    const struct call *c = &calls[i];
    uint64_t want = c->plain(model, scratches[c->node], c->offset);
    if (c->node % nodes == me) {
      uint64_t got = c->shared(memory, scratch, c->offset);
      if (got != want)
        fail(c, "read something else", -1);
      if (memcmp(scratch, scratches[c->node], sizeof scratch) != 0)
        fail(c, "private memory differs", -1);
    }
    if (i + 1 == Calls || calls[i + 1].step != c->step) {
      gdsm_barrier();
      if (c->step % (nodes + 1) == me || i + 1 == Calls)
        compare(c);
      gdsm_barrier();
    }
  }
  if (me == 0)
    printf("right: %d operations, %d nodes, blocks of %ld\n", Calls, nodes, block);
  return 0;
}
