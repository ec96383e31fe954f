// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Semaphores and condition variables that threads of one node, of their home
   and of other nodes use, so that each goes from the quick way to the queues
   and back. Also compiled with GRAUPEL_DSM_SEQUENTIAL. Arguments: rounds. */
#ifdef GRAUPEL_DSM_SEQUENTIAL
#include "graupel/dsm.h"
#include <stdio.h>
#include <stdlib.h>
#define LOAD(p) (*(p))
#define STORE(p, v) (*(p) = (v))
#define check_poll() ((void)0)
#define CHECK(c)                                                               \
  ((c) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #c), exit(1)))
#else
#include "checked.h"
#endif

enum { Kinds = 12, Slots = 4 };

struct queue {
  int64_t first, last, closed, sum, taken;
  int64_t items[Slots];
};
static struct queue *queue;
static int64_t *handed; /* One a kind, a block each. */
static gdsm_lock_t numbers;

static gdsm_lock_t number(unsigned kind) {
  /* Neighbors, and numbers far away. */
  return kind < Kinds / 2 ? numbers + kind : ~(gdsm_lock_t)0 - 5 * kind;
}

/* A semaphore of one is a lock: no two threads are behind it. */
static void exclude(long rounds) {
  unsigned state = (unsigned)gdsm_thread() * 7919u + 17u;
  int64_t mine[Kinds] = {0};
  for (long i = 0; i < rounds; ++i) {
    state = state * 1664525u + 1013904223u;
    unsigned r = state >> 8, kind = i * 3 / rounds == 0 ? r % Kinds
                                    : i * 3 / rounds == 1
                                        ? r % 2
                                        : (unsigned)gdsm_thread() % Kinds;
    if (r % 5 != 0)
      gdsm_sem_wait(number(kind));
    else
      while (!gdsm_sem_trywait(number(kind)))
        check_poll();
    STORE(&handed[16 * kind], LOAD(&handed[16 * kind]) + 1);
    gdsm_sem_post(number(kind), 1);
    ++mine[kind];
  }
  for (unsigned kind = 0; kind < Kinds; ++kind) {
    int64_t all = gdsm_reduce_int64(mine[kind], GDSM_SUM);
    CHECK(LOAD(&handed[16 * kind]) == all);
  }
}

/* Posts of many, more than a word holds, are all taken and no more. */
static void count(void) {
  int threads = gdsm_threads(), me = gdsm_thread();
  for (unsigned kind = 0; kind < 4; ++kind) {
    gdsm_lock_t s = number(kind) + 1000;
    if (me == (int)kind % threads)
      gdsm_sem_post(s, 5000);
    gdsm_sem_post(s, 3);
    gdsm_barrier();
    int64_t got = 0;
    while (got < 5000 / threads) {
      gdsm_sem_wait(s);
      ++got;
    }
    gdsm_barrier();
    while (gdsm_sem_trywait(s))
      ++got;
    CHECK(gdsm_reduce_int64(got, GDSM_SUM) == 5000 + 3 * threads);
    CHECK(!gdsm_sem_trywait(s));
  }
}

/* Each thread hands a token to the next one, through memory. */
static void ring(long rounds) {
  int me = gdsm_thread(), threads = gdsm_threads();
  gdsm_lock_t own = numbers + 2000 + (gdsm_lock_t)(3 * me),
              next = numbers + 2000 + (gdsm_lock_t)(3 * ((me + 1) % threads));
  for (long i = 0; i < rounds; ++i) {
    if (me != 0 || i != 0)
      gdsm_sem_wait(own);
    int64_t *token = &handed[16 * Kinds];
    CHECK(LOAD(token) == i * threads + me);
    STORE(token, i * threads + me + 1);
    gdsm_sem_post(next, 1);
  }
  gdsm_barrier();
  if (me == 0)
    gdsm_sem_wait(own);
}

/* A bounded queue of many producers and consumers. `apart`: the condition
   variables have another home than their lock. */
static void produce(long rounds, int apart) {
  gdsm_lock_t lock = numbers + 1, filled = lock + (gdsm_lock_t)apart,
              emptied = lock + (apart ? 2 : 8 * (gdsm_lock_t)gdsm_nodes());
  int me = gdsm_thread(), producers = (gdsm_threads() + 1) / 2;
  if (me == 0) {
    struct queue *q = queue;
    STORE(&q->first, 0);
    STORE(&q->last, 0);
    STORE(&q->closed, 0);
    STORE(&q->sum, 0);
    STORE(&q->taken, 0);
  }
  gdsm_barrier();
  for (long i = 0; me < producers && i < rounds; ++i) {
    gdsm_lock(lock);
    while (gdsm_threads() > 1 &&
           LOAD(&queue->last) - LOAD(&queue->first) == Slots)
      gdsm_cond_wait(emptied, lock);
    if (gdsm_threads() > 1) {
      int64_t last = LOAD(&queue->last);
      STORE(&queue->items[last % Slots], i + 1);
      STORE(&queue->last, last + 1);
      gdsm_cond_signal(filled);
    }
    gdsm_unlock(lock);
  }
  if (me < producers) {
    gdsm_lock(lock);
    STORE(&queue->closed, LOAD(&queue->closed) + 1);
    gdsm_cond_broadcast(filled);
    gdsm_unlock(lock);
  }
  while (me >= producers) {
    gdsm_lock(lock);
    while (LOAD(&queue->last) == LOAD(&queue->first) &&
           LOAD(&queue->closed) != producers)
      gdsm_cond_wait(filled, lock);
    int64_t first = LOAD(&queue->first), has = LOAD(&queue->last) != first;
    if (has) {
      STORE(&queue->sum,
            LOAD(&queue->sum) + LOAD(&queue->items[first % Slots]));
      STORE(&queue->taken, LOAD(&queue->taken) + 1);
      STORE(&queue->first, first + 1);
      gdsm_cond_signal(emptied);
    }
    gdsm_unlock(lock);
    if (!has)
      break;
  }
  gdsm_barrier();
  if (gdsm_threads() > 1) {
    CHECK(LOAD(&queue->taken) == rounds * producers);
    CHECK(LOAD(&queue->sum) == rounds * (rounds + 1) / 2 * producers);
  }
  gdsm_barrier();
}

/* What lies here needs no messages. */
static void cheap(void) {
  struct gdsm_statistics before, after;
  gdsm_lock_t own = (gdsm_lock_t)(gdsm_nodes() * (100 + gdsm_thread())) +
                    (gdsm_lock_t)gdsm_node();
  gdsm_barrier();
  gdsm_get_statistics(&before);
  for (int i = 0; i < 1000; ++i) {
    gdsm_sem_post(own, 2);
    gdsm_sem_wait(own);
    CHECK(gdsm_sem_trywait(own));
    CHECK(!gdsm_sem_trywait(own));
    gdsm_cond_signal(own);
  }
  gdsm_get_statistics(&after);
  CHECK(after.messages - before.messages < 100);
  gdsm_barrier();
}

static void work(void *argument) {
  long rounds = *(long *)argument;
  exclude(rounds);
  count();
  ring(rounds / 10);
  produce(rounds / 4, 0);
  produce(rounds / 4, 1);
  cheap();
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 1000;
  if (gdsm_node() == 0) {
    numbers = gdsm_locks_new(4000);
    handed =
        (int64_t *)gdsm_alloc((Kinds + 1) * 128, 128, GDSM_HOME_ROUND_ROBIN);
    queue = (struct queue *)gdsm_alloc(sizeof *queue, 128, 0);
  }
  gdsm_broadcast(&numbers, sizeof numbers, 0);
  gdsm_broadcast(&handed, sizeof handed, 0);
  gdsm_broadcast(&queue, sizeof queue, 0);
  if (gdsm_node() == 0)
    for (unsigned kind = 0; kind < Kinds; ++kind)
      gdsm_sem_post(number(kind), 1);
  gdsm_parallel(work, &rounds);
  if (gdsm_node() == 0)
    printf("all right on %d threads\n", gdsm_threads());
  return 0;
}
