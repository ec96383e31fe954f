// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A thread that the program has started calls what only others may, by name. */
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *how;

static int is(const char *name) { return strcmp(how, name) == 0; }

static void *call(void *unused) {
  if (is("sum"))
    gdsm_reduce_double(5, GDSM_SUM); /* sum */
  if (is("barrier"))
    gdsm_barrier(); /* barrier */
  if (is("unlock"))
    gdsm_unlock(0);
  return unused;
}

static void work(void *unused) {
  pthread_t t;
  (void)unused;
  if (gdsm_thread() == 0) {
    gdsm_lock(0);
    pthread_create(&t, NULL, call, NULL);
    pthread_join(t, NULL);
    gdsm_unlock(0);
  }
  gdsm_reduce_double(1, GDSM_SUM);
}

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  gdsm_parallel(work, NULL);
  puts("went well");
  return 0;
}
