// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data for each kind of advice, in phases between barriers, so that misses do not
// depend on time.

#include <graupel/dsm.h>
#include <stdio.h>

enum { N = 384, ROUNDS = 60 }; /* 1024 bytes for each of three nodes */
static double *all, *few, *own;
static long *slots, *token;

/* One line allocates two vectors. */
__attribute__((noinline)) static double *vector(long n, int home) {
  return gdsm_alloc(n * sizeof(double), 0, home);
}

static void work(void *unused) {
  (void)unused;
  long node = gdsm_node(), nodes = gdsm_nodes();
  long from = N * node / nodes, to = N * (node + 1) / nodes;
  double sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    /* One node stores, all others read. */
    for (long i = from; i < to; ++i)
      all[i] = (double)(round + i);
    gdsm_barrier();
    for (long i = 0; i < N; ++i)
      sum += all[i];
    /* Stored to by one node, and read by another one. */
    if (node == 1)
      for (long i = 0; i < N / 2; ++i)
        own[i] = (double)round;
    gdsm_barrier();
    if (node == 2)
      for (long i = 0; i < N / 2; ++i)
        sum += own[i];
    /* Side by side, by turns; and what each loads and then stores to. */
    for (long turn = 0; turn < nodes; ++turn) {
      if (turn == node) {
        slots[node] += round;
        if (*token >= 0)
          *token = round + node;
      }
      gdsm_barrier();
    }
  }
  if (node == 1)
    few[0] = 1;
  sum = gdsm_reduce_double(sum, GDSM_SUM);
  if (node == 0)
    printf("sum %.0f slots %ld\n", sum, slots[0]);
}

int main(void) {
  if (gdsm_node() == 0) {
    all = vector(N, GDSM_HOME_ROUND_ROBIN);
    few = vector(4, 0);
    own = gdsm_alloc(N / 2 * sizeof *own, 0, 0);
    slots = gdsm_alloc(64 * sizeof *slots, 64, 0);
    token = gdsm_alloc(64, 64, 0);
  }
  gdsm_broadcast(&all, sizeof all, 0);
  gdsm_broadcast(&few, sizeof few, 0);
  gdsm_broadcast(&own, sizeof own, 0);
  gdsm_broadcast(&slots, sizeof slots, 0);
  gdsm_broadcast(&token, sizeof token, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
