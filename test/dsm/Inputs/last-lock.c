// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A thread takes a lock of its node again and again while that ends. With
   -DLIBRARY: a library whose end comes after Graupel's and takes a while. */
#include <time.h>

void load_last(void);
void load_outer(void);

#if defined(LIBRARY)
__attribute__((destructor)) static void take_time(void) {
  struct timespec t = {1, 0};
  nanosleep(&t, 0);
}
void load_last(void) {}
#elif defined(OUTER)
void load_outer(void) { load_last(); }
#else
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *lock(void *number) {
  for (;;) {
    gdsm_lock((gdsm_lock_t)number);
    gdsm_unlock((gdsm_lock_t)number);
  }
  return number;
}

int main(void) {
  pthread_t t;
  load_outer();
  gdsm_barrier();
  if (pthread_create(&t, 0, lock, (void *)(long)gdsm_node()) != 0)
    return 1;
  usleep(100000);
  puts("ended");
  return 0;
}
#endif
