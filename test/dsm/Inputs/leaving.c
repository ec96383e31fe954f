// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* leaving CALL NODE STATUS [late]: all nodes but NODE make the call; NODE ends with STATUS
   instead, at once or when the others are waiting already. */
#include "checked.h"
#include <pthread.h>
#include <unistd.h>

static const char *call;
static int leaver, status, late, data;

static void nothing(void *unused) { (void)unused; }
static void pause_ms(void *ms) { usleep(1000 * *(int *)ms); }
static void wait_ms(int ms) { gdsm_blocking(pause_ms, &ms); }

static void make(const char *what) {
  if (!strcmp(what, "barrier"))
    gdsm_barrier();
  if (!strcmp(what, "parallel"))
    gdsm_parallel(nothing, NULL);
  if (!strcmp(what, "sum"))
    gdsm_reduce_double(1, GDSM_SUM);
  if (!strcmp(what, "least"))
    gdsm_reduce_int64(1, GDSM_MIN);
  if (!strcmp(what, "broadcast"))
    gdsm_broadcast(&data, sizeof data, leaver);
  if (!strcmp(what, "unheard"))
    gdsm_broadcast(&data, sizeof data, (leaver + 1) % gdsm_nodes());
  if (!strcmp(what, "lock"))
    gdsm_lock(5);
}

static void inside(void *unused) {
  (void)unused;
  gdsm_barrier();
  if (gdsm_node() == leaver && gdsm_thread() % gdsm_threads_per_node() == 1) {
    if (late)
      wait_ms(200);
    if (!strcmp(call, "inside-thread"))
      pthread_exit(NULL);
    exit(status);
  }
  gdsm_barrier();
}

static void *takes_lock(void *unused) {
  gdsm_lock(5);
  return unused;
}

int main(int argc, char **argv) {
  call = argv[1];
  leaver = atoi(argv[2]);
  status = atoi(argv[3]);
  late = argc > 4;
  /* What all have done before does not count. */
  gdsm_barrier();
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_reduce_double(1, GDSM_SUM);
  if (!strncmp(call, "inside", 6)) {
    gdsm_parallel(inside, NULL);
    return 0;
  }
  int leaves = gdsm_node() == leaver;
  if (leaves && !strcmp(call, "lock"))
    gdsm_lock(5);
  if (leaves && !strcmp(call, "thread-lock")) {
    pthread_t thread;
    pthread_create(&thread, NULL, takes_lock, NULL);
    pthread_join(thread, NULL);
  }
  gdsm_barrier();
  if (!strcmp(call, "thread-lock"))
    gdsm_lock(5);
  if (leaves && late)
    wait_ms(200);
  if (leaves)
    exit(status);
  if (!late)
    wait_ms(200);
  make(call);
  return 0;
}
