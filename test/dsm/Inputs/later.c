// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is no deadlock although all that have called the runtime wait, by name:
   another thread is about to call it for the first time. And threads that the C
   library starts. */
#include <asm/prctl.h>
#include <graupel/dsm.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

/* Threads of timers add, one at a time, while node 1 wants the block. */
static volatile long *shared;
static unsigned long tags_of_timer;
static long adds;
static int busy, enough;
enum { Adds = 20000 };

/* What the thread's checks look at. */
GDSM_NOCHECK static unsigned long tags(void) {
  unsigned long base = 0;
  syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
  return base;
}

/* Entered by the C library's threads, which inherit what main's has. */
GDSM_NOPOLL static void add(union sigval unused) {
  (void)unused;
  if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
    return;
  if (tags_of_timer == 0)
    tags_of_timer = tags();
  for (int i = 0; i < Adds; ++i)
    shared[0] = shared[0] + 1;
  adds += Adds;
  __atomic_store_n(&enough, adds >= 100 * Adds, __ATOMIC_RELAXED);
  __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static void timers(void) {
  struct sigevent e = {.sigev_notify = SIGEV_THREAD};
  struct itimerspec often = {{0, 1000000}, {0, 1000000}};
  timer_t t;
  if (gdsm_node() == 0)
    shared = gdsm_alloc(4096, 128, 0);
  gdsm_broadcast((void *)&shared, sizeof(shared), 0);
  if (gdsm_node() != 0) {
    while (!shared[4])
      shared[1] = shared[1] + 1;
    return;
  }
  e.sigev_notify_function = add;
  timer_create(CLOCK_MONOTONIC, &e, &t);
  timer_settime(t, 0, &often, NULL);
  while (!__atomic_load_n(&enough, __ATOMIC_RELAXED)) {
    shared[2] = 1;
    poll(NULL, 0, 1);
  }
  timer_delete(t);
  while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
    poll(NULL, 0, 1);
  shared[4] = 1;
  if (tags_of_timer == tags())
    puts("a thread of a timer begins with the node's tags");
  if (shared[0] != adds)
    printf("%ld of %ld\n", shared[0], adds);
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
  if (is("timers"))
    timers();
  gdsm_barrier();
  if (gdsm_node() == 0)
    puts("went well");
  return 0;
}
