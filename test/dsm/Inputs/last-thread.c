/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread that has used shared memory ends when its node has finished: the destructor of
 * a library that knows nothing of Graupel lets it go, and joins it. */
#ifdef LIBRARY
void at_end(void);
__attribute__((destructor)) static void last(void) { at_end(); }
void nothing(void) {}
#elif defined(OUTER)
void nothing(void);
void outer(void) { nothing(); }
#else
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

void outer(void);

GDSM_GLOBAL static int threads;
static atomic_int used, goes;
static pthread_t last;

static void *work(void *unused) {
  __atomic_fetch_add(&threads, 1, __ATOMIC_SEQ_CST);
  used = 1;
  while (!goes)
    ;
  return NULL;
}

void at_end(void) {
  goes = 1;
  pthread_join(last, NULL);
  printf("joined\n");
}

int main(void) {
  outer();
  if (pthread_create(&last, NULL, work, NULL))
    return 1;
  while (!used)
    ;
  gdsm_barrier();
  return threads != gdsm_nodes();
}
#endif
