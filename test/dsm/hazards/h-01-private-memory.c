// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-1: globals, stacks and malloc are a node's own; threads of a node share them as
   threads do. Nothing of it may go through the protocol or to another node, also if
   checked code cannot know that it is private, and if its address is the same on all
   nodes.
   Breaks if the region or its tags covered them (an access would fault), or if the
   passes moved globals (all nodes would see the last one's values).

   REQUIRES: graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O1 -no-pie %s -o %t
   RUN: %dsm-run -n 3 --threads-per-node=2 %t | FileCheck %s
   CHECK: all right
*/
#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

static int words[4096], sum;
static _Thread_local int own;
struct shared {
  int *global, *stack, *heap;
} *places;

__attribute__((noinline)) static void fill(int *p, int n, int value) {
  for (int i = 0; i < n; ++i)
    p[i] = value;
  __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) static int all(const int *p, int n, int value) {
  for (int i = 0; i < n; ++i)
    if (p[i] != value)
      return 0;
  return 1;
}

static uint64_t faults(void) {
  struct gdsm_statistics s;
  gdsm_get_statistics(&s);
  return s.load_faults + s.store_faults;
}

static void work(void *stack) {
  int mine[64], *heap = malloc(1000 * sizeof *heap);
  own = gdsm_thread();
  gdsm_barrier();
  uint64_t before = faults();
  for (int round = 0; round < 1000; ++round) {
    fill(mine, 64, own);
    fill(heap, 1000, own);
    if (gdsm_thread() % 2 == 0)
      fill(words, 4096, gdsm_node());
    /* The main thread's stack and a global, by both threads of the node. */
    __atomic_fetch_add((int *)stack, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
    if (!all(mine, 64, own) || !all(heap, 1000, own) || own != gdsm_thread())
      exit(1);
  }
  uint64_t after = faults();
  if (after != before)
    exit(2);
  gdsm_barrier();
  if (!all(words, 4096, gdsm_node()))
    exit(3);
  /* Another node's pointer leads to one's own memory. */
  if (*places->global != gdsm_node())
    exit(4);
  free(heap);
}

int main(void) {
  int stack = 0;
  if (gdsm_node() == 0)
    places = gdsm_malloc(sizeof *places);
  gdsm_broadcast(&places, sizeof places, 0);
  if (gdsm_node() == 1)
    places->global = &words[7];
  gdsm_barrier();
  gdsm_parallel(work, &stack);
  if (stack != 2000 || sum != 2000)
    exit(5);
  if (gdsm_node() == 0)
    printf("all right\n");
  return 0;
}
