/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library that is not compiled with checks gets shared buffers: one line for each of its
   functions. Node 0 fills them, the last node packs and unpacks, all compare. */
#include "fetched.h"
#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GDSM_FETCHES int pack(char *to, unsigned long *size, const char *from, unsigned long length);
GDSM_FETCHES int unpack(struct stream *s);
GDSM_FETCHES void with_callback(long *p, long count, void (*visit)(long *));

enum { LENGTH = 100000 };
static struct {
  char *text, *packed, *again;
  unsigned long *sizes;
  long *numbers;
} shared;

/* Others write beside what the library has. */
static long *beside;
static void visit(long *p) {
  ++*p;
  ++beside[gdsm_thread()];
}

static void work(void *unused) {
  long count = 512, here = gdsm_thread() * count;
  for (int round = 0; round < 4; round++) {
    with_callback(shared.numbers + here, count, visit);
    gdsm_barrier();
  }
}

int main(int argc, char **argv) {
  size_t block = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  int last = gdsm_nodes() - 1;
  if (gdsm_node() == 0) {
    shared.text = gdsm_alloc(LENGTH, block, GDSM_HOME_ROUND_ROBIN);
    shared.packed = gdsm_alloc(2 * LENGTH, block, last);
    shared.again = gdsm_alloc(LENGTH, block, 0);
    shared.sizes = gdsm_malloc(4 * sizeof *shared.sizes);
    shared.numbers = gdsm_alloc((size_t)gdsm_threads() * 512 * sizeof(long), block, 0);
    for (long i = 0; i < LENGTH; i++)
      shared.text[i] = (char)(i / 7 % 50);
    shared.sizes[0] = 2 * LENGTH;
    beside = gdsm_alloc((size_t)gdsm_threads() * sizeof(long), block, 0);
  }
  gdsm_broadcast(&shared, sizeof shared, 0);
  gdsm_broadcast(&beside, sizeof beside, 0);
  gdsm_barrier();
  if (gdsm_node() == last) {
    int wrong = pack(shared.packed, shared.sizes, shared.text, LENGTH);
    struct stream s = {shared.packed, shared.again, shared.sizes[0], LENGTH};
    wrong |= unpack(&s);
    if (wrong || s.written != LENGTH)
      printf("the library says %d, %lu\n", wrong, s.written);
  }
  gdsm_barrier();
  long wrong = memcmp(shared.text, shared.again, LENGTH) != 0;
  gdsm_parallel(work, NULL);
  long visits = 0;
  for (int t = 0; t < gdsm_threads(); t++) {
    visits += beside[t];
    for (int i = 0; i < 512; i++)
      wrong += shared.numbers[t * 512 + i] != 8;
  }
  wrong += visits != 4l * 512 * gdsm_threads();
  printf("%ld wrong\n", wrong);
  return wrong != 0;
}
