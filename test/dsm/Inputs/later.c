// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is no deadlock although all that have called the runtime wait, by name:
   another thread is about to call it for the first time. And threads that the C
   library starts. */
#include <graupel/dsm.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *how;

static int is(const char *name) { return strcmp(how, name) == 0; }

static void post(union sigval unused) {
  (void)unused;
  gdsm_sem_post(7, 1);
}

/* The C library starts the thread. */
static void timer(void) {
  struct sigevent e = {.sigev_notify = SIGEV_THREAD};
  struct itimerspec once = {.it_value = {3, 0}};
  timer_t t;
  e.sigev_notify_function = post;
  timer_create(CLOCK_MONOTONIC, &e, &t);
  timer_settime(t, 0, &once, NULL);
  gdsm_sem_wait(7);
}

static void *wait_too(void *unused) {
  gdsm_sem_wait(8);
  return unused;
}

/* Starts another thread before it calls the runtime. */
static void *post_later(void *unused) {
  pthread_t t;
  pthread_create(&t, NULL, wait_too, NULL);
  poll(NULL, 0, 3000);
  gdsm_sem_post(8, 1);
  gdsm_sem_post(7, 1);
  pthread_join(t, NULL);
  return unused;
}

static void stranger(void) {
  pthread_t t;
  pthread_create(&t, NULL, post_later, NULL);
  gdsm_sem_wait(7);
  pthread_join(t, NULL);
}

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  if (gdsm_node() == 0 && is("timer"))
    timer();
  if (gdsm_node() == 0 && is("stranger"))
    stranger();
  gdsm_barrier();
  if (gdsm_node() == 0)
    puts("went well");
  return 0;
}
