/*===- homes.c - How many messages a home saves -------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Node 0 writes a word of every block of an array, node 1 reads it, in turns.
|* Once node 2 is home, who has no part in it, once the page is at home where it
|* is touched first, which is at the producer, and once at the consumer. Prints
|* the messages that all nodes sent for one block in one turn, without those of
|* barriers (an array of which nothing is touched). Exact: nothing else goes on.
|*
|*   graupel dsm run -n 3 homes
|*
\*===----------------------------------------------------------------------===*/

#include "../programs/common.h"

enum { BLOCK = 128, BLOCKS = 1024, TURNS = 10, PRODUCER = 0, CONSUMER, OTHER };

/** Where arrays are at home, by the name under which it is printed. */
static const struct {
  const char *name;
  int home, touched;
} Cases[] = {{"barriers", OTHER, 0},
             {"elsewhere", OTHER, 1},
             {"first touch", GDSM_HOME_FIRST_TOUCH, 1},
             {"consumer", CONSUMER, 1}};
enum { CASES = sizeof Cases / sizeof Cases[0] };

static char *arrays[CASES];
static int64_t messages[CASES], data_messages[CASES]; /* Of this node. */

static volatile uint64_t *word(char *array, long block) {
  return (volatile uint64_t *)(array + block * BLOCK);
}

static void take_turns(char *array, int touched, int turns) {
  for (int t = 0; t < turns; ++t) {
    if (gdsm_node() == PRODUCER && touched)
      for (long b = 0; b < BLOCKS; ++b)
        *word(array, b) = (uint64_t)(t + b);
    gdsm_barrier();
    if (gdsm_node() == CONSUMER && touched)
      for (long b = 0; b < BLOCKS; ++b)
        if (*word(array, b) != (uint64_t)(t + b))
          fail("a block has an old value", "");
    gdsm_barrier();
  }
}

static void count(void *unused) {
  (void)unused;
  for (int c = 0; c < CASES; ++c) {
    struct gdsm_statistics from, to;
    take_turns(arrays[c], Cases[c].touched, 1); /* Maps pages. */
    gdsm_get_statistics(&from);
    gdsm_barrier();
    take_turns(arrays[c], Cases[c].touched, TURNS);
    gdsm_get_statistics(&to);
    gdsm_barrier();
    messages[c] = (int64_t)(to.messages - from.messages);
    data_messages[c] = (int64_t)(to.data_messages - from.data_messages);
  }
}

int main(void) {
  program_name = "homes";
  if (gdsm_nodes() != 3 || gdsm_threads() != 3)
    fail("needs three nodes of one thread: graupel dsm run -n 3 homes", "");
  if (gdsm_node() == 0)
    for (int c = 0; c < CASES; ++c)
      arrays[c] = gdsm_alloc(BLOCKS * BLOCK, BLOCK, Cases[c].home);
  gdsm_broadcast(arrays, sizeof arrays, 0);
  gdsm_parallel(count, NULL);
  for (int c = 0; c < CASES; ++c) {
    messages[c] = gdsm_reduce_int64(messages[c], GDSM_SUM);
    data_messages[c] = gdsm_reduce_int64(data_messages[c], GDSM_SUM);
    double each = (double)BLOCKS * TURNS;
    if (c > 0 && gdsm_node() == 0)
      printf("%s: %.3f messages\n%s data: %.3f messages\n", Cases[c].name,
             (double)(messages[c] - messages[0]) / each, Cases[c].name,
             (double)(data_messages[c] - data_messages[0]) / each);
  }
  return 0;
}
