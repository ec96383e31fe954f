// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* main ends by pthread_exit; a thread goes on, and is the last one. */
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile long *shared;

static void *add(void *unused) {
  for (int i = 0; i < 1000; ++i) {
    gdsm_lock(3);
    ++*shared;
    gdsm_unlock(3);
  }
  usleep(300000);
  printf("node %d: its thread ends\n", gdsm_node());
  return unused;
}

int main(void) {
  pthread_t t;
  if (gdsm_node() == 0)
    shared = gdsm_alloc(4096, 128, 0);
  gdsm_broadcast((void *)&shared, sizeof(shared), 0);
  if (pthread_create(&t, NULL, add, NULL) != 0)
    return 1;
  pthread_detach(t);
  pthread_exit(NULL);
}
