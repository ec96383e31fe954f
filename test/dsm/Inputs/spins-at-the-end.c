/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads that wait in loops of their own for work that does not come, when main
 * returns. */
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int *work;
static volatile int waiting;

static void *wait_for_work(void *unused) {
  __atomic_fetch_add(&waiting, 1, __ATOMIC_SEQ_CST);
  while (!*work)
    __builtin_ia32_pause();
  return unused;
}

int main(void) {
  pthread_t thread;
  work = gdsm_malloc(64);
  for (int i = 0; i < 3; ++i)
    if (pthread_create(&thread, NULL, wait_for_work, NULL))
      return 1;
  while (waiting != 3)
    __builtin_ia32_pause();
  usleep(20000);
  gdsm_barrier();
  printf("ended\n");
  return 0;
}
