// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Locks that one thread wants alone, that threads of one node want, and that
   all want, in turns, so that each lock goes from the quick way to the queues
   and back many times. What they protect is added to without atomics: a lost
   update is a lock that two had. Arguments: rounds, seed. */
#include "checked.h"

enum { Kinds = 24 };
static int64_t *sums; /* One a block. */

static gdsm_lock_t number(unsigned kind) {
  /* Neighbors, addresses, and large ones; at home on all nodes. */
  if (kind < 8)
    return 1000 + kind;
  if (kind < 16)
    return 0x7f0012345000 + 64 * (gdsm_lock_t)kind + kind;
  return ~(gdsm_lock_t)0 - kind;
}

static void work(void *argument) {
  long rounds = *(long *)argument;
  unsigned state = (unsigned)gdsm_thread() * 7919u + 17u;
  int64_t mine[Kinds] = {0};
  for (long i = 0; i < rounds; ++i) {
    state = state * 1664525u + 1013904223u;
    /* Phases: all locks, one lock, the node's own, the thread's own. */
    unsigned r = state >> 8, kind;
    switch (i * 8 / rounds % 4) {
    case 0:
      kind = r % Kinds;
      break;
    case 1:
      kind = r % 2;
      break;
    case 2:
      kind = (unsigned)(gdsm_node() % 8);
      break;
    default:
      kind = (unsigned)(gdsm_thread() % Kinds);
    }
    gdsm_lock(number(kind));
    int64_t *sum = sums + 16 * kind;
    STORE(sum, LOAD(sum) + 1);
    gdsm_unlock(number(kind));
    ++mine[kind];
    check_poll();
  }
  for (unsigned kind = 0; kind < Kinds; ++kind) {
    int64_t all = gdsm_reduce_int64(mine[kind], GDSM_SUM);
    CHECK(LOAD(sums + 16 * kind) == all);
  }
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 1000;
  if (gdsm_node() == 0)
    sums = (int64_t *)gdsm_alloc(Kinds * 128, 128, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&sums, sizeof sums, 0);
  gdsm_parallel(work, &rounds);
  if (gdsm_node() == 0)
    printf("all right on %d threads\n", gdsm_threads());
  return 0;
}
