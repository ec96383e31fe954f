// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Three kinds of sharing whose misses can be counted by hand, on two nodes. They
   take turns, so nothing depends on time. */
#include "checked.h"

enum { Rounds = 100, Words = 8192 };
static int64_t *slots, *counter, *data;

/* Inlined: the report names what its caller assigns, on the line before. */
static inline __attribute__((always_inline)) void *small_blocks(size_t size) {
  return gdsm_alloc(size, 64, 0);
}

static int my_turn(int round) {
  gdsm_barrier();
  return round % 2 == gdsm_node();
}

static void work(void *argument) {
  (void)argument;
  int me = gdsm_node();

  /* Each has a slot of its own, 64 bytes apart, in one block of 128. */
  for (int i = 0; i < 2 * Rounds; ++i)
    if (my_turn(i))
      ADD(&slots[8 * me], 1); /* false sharing */

  for (int i = 0; i < 2 * Rounds; ++i)
    if (my_turn(i))
      ADD(counter, 1); /* true sharing */

  /* Node 0 fills, node 1 reads. */
  if (me == 0)
    for (int i = 0; i < Words; ++i)
      STORE(&data[i], i); /* at home */
  gdsm_barrier();
  if (me == 1) {
    int64_t sum = 0;
    for (int i = 0; i < Words; ++i)
      sum += LOAD(&data[i]); /* cold scan */
    CHECK(sum == (int64_t)Words * (Words - 1) / 2);
  }
  gdsm_barrier();

  /* Data that look like what is not there, and a store to what others read. */
  if (me == 1) {
    STORE(&data[0], (int64_t)GRAUPEL_DSM_SENTINEL); /* upgrade */
    for (int i = 0; i < 10; ++i)
      CHECK(LOAD_SENTINEL(&data[0]) == (int64_t)GRAUPEL_DSM_SENTINEL); /* match */
  }
}

int main(int argc, char **argv) {
  if (gdsm_node() == 0) {
    slots = gdsm_alloc(128, 128, 0);
    counter =
        small_blocks(sizeof *counter);
    data = gdsm_alloc(Words * sizeof *data, 128, 0);
  }
  gdsm_broadcast(&slots, sizeof slots, 0);
  gdsm_broadcast(&counter, sizeof counter, 0);
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_parallel(work, 0);
  if (argc > 1 && !strcmp(argv[1], "fail") && gdsm_node() == 1)
    gdsm_free(argv); /* an error of the program's */
  if (argc > 1 && !strcmp(argv[1], "hang")) {
    printf("hanging\n");
    fflush(stdout);
    for (volatile int i = 0;; ++i)
      check_poll();
  }
  gdsm_barrier();
  if (gdsm_node() == 0)
    printf("%lld %lld\n", (long long)LOAD(&slots[0]), (long long)LOAD(counter));
  return 0;
}
