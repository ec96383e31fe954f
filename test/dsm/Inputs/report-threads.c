// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Each thread adds to words of its own in two blocks that all threads share, as
   many times as is said. With -DTAKEN: for that program, so that all mutexes
   look taken at first, and the recorder's lock always blocks. */
#ifdef TAKEN
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int pthread_mutex_trylock(pthread_mutex_t *unused) {
  (void)unused;
  /* Longer than another node takes to want the block back. */
  for (int i = 0; i < 100; ++i)
    sched_yield();
  return EBUSY;
}

#else
#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

enum { Blocks = 2, Words = 16 };
static volatile long *shared;
static long times;

static void add(void *unused) {
  (void)unused;
  int me = gdsm_thread();
  for (long i = 0; i < times; ++i) {
    for (int b = 0; b < Blocks; ++b)
      shared[b * Words + me] = shared[b * Words + me] + 1;
    gdsm_barrier(); /* All want the blocks at a time. */
  }
}

int main(int argc, char **argv) {
  times = argc > 1 ? atol(argv[1]) : 1000;
  if (gdsm_node() == 0)
    shared = gdsm_alloc(4096, 128, 0);
  gdsm_broadcast((void *)&shared, sizeof(shared), 0);
  gdsm_parallel(add, NULL);
  if (gdsm_node() == 0) {
    long sum = 0;
    for (int t = 0; t < gdsm_threads(); ++t)
      for (int b = 0; b < Blocks; ++b)
        sum += shared[b * Words + t];
    printf("%ld of %ld\n", sum, Blocks * times * gdsm_threads());
  }
  return 0;
}
#endif
