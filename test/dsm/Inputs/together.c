/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Everything by which threads of a job wait for each other, at the same time:
   semaphores, condition variables, locks, counters, collective calls, memory that
   comes and goes or is held, threads that the program starts, and one that still
   waits when its node ends. Argument: rounds. */
#include "checked.h"
#include <pthread.h>

enum { Slots = 8 };
struct shared {
  int64_t ring[Slots], put, got, sum; /* Under the lock. */
  int64_t passed;                     /* The same. */
};
static struct shared *s;
static gdsm_lock_t lock, empty, full, turn, counter, never;
static long rounds;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int helped;

/* A bounded buffer of semaphores: every thread puts and takes. */
static void exchange(int64_t value) {
  gdsm_sem_wait(empty);
  gdsm_lock(lock);
  int64_t at = LOAD(&s->put);
  STORE(&s->ring[at % Slots], value);
  STORE(&s->put, at + 1);
  gdsm_unlock(lock);
  gdsm_sem_post(full, 1);

  gdsm_sem_wait(full);
  gdsm_lock(lock);
  at = LOAD(&s->got);
  ADD(&s->sum, LOAD(&s->ring[at % Slots]));
  STORE(&s->got, at + 1);
  gdsm_unlock(lock);
  gdsm_sem_post(empty, 1);
}

/* Threads pass one after the other. */
static void pass(int64_t number) {
  gdsm_lock(lock);
  while (LOAD(&s->passed) != number)
    gdsm_cond_wait(turn, lock);
  STORE(&s->passed, number + 1);
  gdsm_cond_broadcast(turn);
  gdsm_unlock(lock);
}

static void *help(void *memory) {
  int64_t *p = memory;
  STORE(p, LOAD(p) + 1);
  pthread_mutex_lock(&own);
  ++helped;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&own);
  return NULL;
}

/* A thread of the program stores into memory that another node frees. */
static void start_thread(void) {
  int64_t *p = gdsm_alloc(64, 32, GDSM_HOME_ROUND_ROBIN);
  pthread_t thread;
  STORE(p, 41);
  CHECK(pthread_create(&thread, NULL, help, p) == 0);
  pthread_mutex_lock(&own);
  while (!helped)
    pthread_cond_wait(&changed, &own);
  --helped;
  pthread_mutex_unlock(&own);
  CHECK(pthread_join(thread, NULL) == 0);
  gdsm_fetch(p, sizeof *p, GDSM_READ);
  CHECK(*p == 42);
  gdsm_release(p, sizeof *p);
  gdsm_free(p);
}

static void work(void *unused) {
  (void)unused;
  int64_t me = gdsm_thread(), all = gdsm_threads(), values[2];
  for (long i = 0; i < rounds; ++i) {
    exchange(me + i);
    pass(i * all + me);
    if (i % 8 == 0)
      start_thread();
    gdsm_fetch_add(counter, 1);
    values[0] = me;
    values[1] = i;
    gdsm_reduce(values, 2, GDSM_INT64, GDSM_SUM);
    CHECK(values[0] == all * (all - 1) / 2 && values[1] == all * i);
    check_poll();
  }
  gdsm_barrier();
  int64_t want = rounds * (all * (all - 1) / 2) + all * (rounds * (rounds - 1) / 2);
  CHECK(LOAD(&s->sum) == want);
  CHECK(gdsm_fetch_add(counter, 0) == rounds * all);
}

static void *wait_for_ever(void *unused) {
  gdsm_sem_wait(never);
  return unused;
}

int main(int argc, char **argv) {
  rounds = argc > 1 ? atol(argv[1]) : 100;
  if (gdsm_node() == 0) {
    s = gdsm_alloc(sizeof *s, 0, GDSM_HOME_ROUND_ROBIN);
    lock = gdsm_locks_new(6);
    gdsm_sem_post(lock + 1, Slots);
  }
  gdsm_broadcast(&s, sizeof s, 0);
  gdsm_broadcast(&lock, sizeof lock, 0);
  empty = lock + 1, full = lock + 2, turn = lock + 3;
  counter = lock + 4, never = lock + 5;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0);
  CHECK(pthread_detach(thread) == 0);
  gdsm_parallel(work, NULL);
  if (gdsm_node() == 0)
    printf("all right on %d threads\n", gdsm_threads());
  return 0;
}
