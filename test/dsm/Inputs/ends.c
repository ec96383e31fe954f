// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Threads and nodes that end where they are in the middle of something, by
   name. What is allowed prints "went well". */
#include <asm/prctl.h>
#include <fcntl.h>
#include <graupel/dsm.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *how;
static volatile long *shared;

static int is(const char *name) { return strcmp(how, name) == 0; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- A destructor of a key adds, while node 1 wants the block. */
static pthread_key_t key;
enum { Adds = 20000, Keys = 100 };

/* What the thread's checks look at. */
GDSM_NOCHECK static unsigned long tags(void) {
  unsigned long base = 0;
  syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
  return base;
}

static unsigned long tags_at_the_end;

static void add_at_the_end(void *again) {
  if (tags_at_the_end == 0)
    tags_at_the_end = tags();
  for (long i = 0; i < Adds; ++i)
    shared[0] = shared[0] + 1;
  if (is("key-again"))
    pthread_setspecific(key, again);
}

static void *touch_and_end(void *value) {
  shared[2] = 1;
  pthread_setspecific(key, value);
  return NULL;
}

static void keys(void) {
  pthread_key_create(&key, add_at_the_end);
  gdsm_barrier();
  if (gdsm_node() != 0) {
    while (!shared[4])
      shared[1] = shared[1] + 1;
    return;
  }
  for (int i = 0; i < Keys; ++i) {
    pthread_t t;
    pthread_create(&t, NULL, touch_and_end, (void *)1);
    pthread_join(t, NULL);
  }
  shared[4] = 1;
  if (tags_at_the_end == tags())
    puts("a thread that has left keeps the node's tags");
  printf("%ld of %ld\n", shared[0], (long)Keys * Adds);
}

/* --- Node 0 waits for a pipe that node 1 writes to behind an access. */
static int pipe_end;

static void wait_for_pipe(void) {
  char c;
  while (read(pipe_end, &c, 1) != 1)
    ;
}

static void tell_pipe(void) {
  shared[0] = 1;
  if (write(pipe_end, "x", 1) != 1)
    exit(1);
}

static void last_worker(void *unused) {
  (void)unused;
  if (gdsm_node() == 1) {
    sleep(1);
    if (gdsm_thread() == gdsm_threads_per_node())
      tell_pipe();
  } else if (gdsm_thread() == 0) {
    wait_for_pipe();
  } else {
    for (double start = now(); now() - start < 0.5;)
      ;
  }
}

static void spin(int signal) {
  (void)signal;
  for (double start = now(); now() - start < 0.02;)
    ;
}

/* The thread blocks all the time, but for handlers. */
static void signals(void) {
  struct sigaction on = {.sa_handler = spin, .sa_flags = SA_RESTART};
  timer_t timer;
  struct itimerspec once = {.it_value = {0, 300000000}};
  if (gdsm_node() == 1) {
    sleep(1);
    tell_pipe();
    return;
  }
  sigaction(SIGALRM, &on, NULL);
  timer_create(CLOCK_MONOTONIC, NULL, &timer);
  timer_settime(timer, 0, &once, NULL);
  wait_for_pipe();
}

static void pipes(const char *name) {
  if (gdsm_node() == 0 && mkfifo(name, 0600) != 0)
    perror(name);
  gdsm_barrier();
  pipe_end = open(name, O_RDWR);
  if (is("last-worker"))
    gdsm_parallel(last_worker, NULL);
  if (is("handler"))
    signals();
}

/* --- Calls where a thread must not wait for the protocol. */
static void lock_in(void *unused) {
  (void)unused;
  gdsm_lock(1);
}

static void unlock_in(void *unused) {
  (void)unused;
  gdsm_unlock(0);
}

static void exit_in(void *unused) {
  (void)unused;
  exit(0);
}

/* Interrupts checked code, or a call of it: no function that blocks. */
static void post_in(int signal) {
  (void)signal;
  gdsm_sem_post(0, 1);
}

static void in_blocking(void) {
  for (int i = 0; i < 512; ++i)
    if (gdsm_node() == 0)
      shared[i] = i;
  gdsm_barrier();
  if (gdsm_node() == 0) {
    gdsm_lock(0);
    gdsm_unlock(0);
    if (is("lock-in"))
      gdsm_blocking(lock_in, NULL);
    if (is("unlock-in")) {
      gdsm_lock(0);
      gdsm_blocking(unlock_in, NULL);
    }
    if (is("exit-in"))
      gdsm_blocking(exit_in, NULL);
    if (is("post-in")) {
      gdsm_sem_post(0, 1);
      signal(SIGALRM, post_in);
      alarm(1);
      for (double start = now(); now() - start < 10;)
        shared[0] = shared[0] + 1;
    }
  }
  if (gdsm_node() == 0 && is("exit-fetched")) {
    gdsm_fetch((void *)shared, 4096, GDSM_WRITE);
    exit(0);
  }
  sleep(1);
  for (int i = 0; i < 512; ++i)
    shared[i] = shared[i] + 1;
  puts("node 1 goes on");
  exit(0);
}

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  if (gdsm_node() == 0)
    shared = gdsm_alloc(4096, 128, 0);
  gdsm_broadcast((void *)&shared, sizeof(shared), 0);
  if (is("key") || is("key-again"))
    keys();
  if (is("lock-in") || is("unlock-in") || is("exit-in") || is("post-in") ||
      is("exit-fetched"))
    in_blocking();
  if (argc > 2)
    pipes(argv[2]);
  gdsm_barrier();
  if (gdsm_node() == 0)
    puts("went well");
  return 0;
}
