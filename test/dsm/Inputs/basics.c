// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Everything of dsm.h once, with results that depend on all threads. */
#include "checked.h"

enum { Words = 5000 };
struct shared {
  int64_t total;
  int64_t *words;
  double *rows;
};
static struct shared *s;
static gdsm_lock_t locks, own_locks;

static void work(void *argument) {
  int me = gdsm_thread(), all = gdsm_threads();
  CHECK(argument == &s);
  CHECK(me / gdsm_threads_per_node() == gdsm_node());
  int64_t *words = LOAD(&s->words);
  for (int i = me; i < Words; i += all) {
    CHECK(LOAD(&words[i]) == 0);
    STORE(&words[i], i + 1);
    check_poll();
  }
  gdsm_barrier();
  int64_t sum = 0;
  for (int i = 0; i < Words; ++i) {
    sum += i % 2 ? LOAD(&words[i]) : LOAD_SENTINEL(&words[i]);
    check_poll();
  }
  CHECK(sum == (int64_t)Words * (Words + 1) / 2);
  gdsm_barrier();
  for (int i = 0; i < 100; ++i) {
    gdsm_lock(locks + i % 3);
    ADD(&words[i % 3], 1);
    gdsm_unlock(locks + i % 3);
    check_poll();
  }
  gdsm_barrier();
  CHECK(LOAD(&words[0]) == 1 + 34 * all && LOAD(&words[1]) == 2 + 33 * all &&
        LOAD(&words[2]) == 3 + 33 * all);
  int64_t before = gdsm_fetch_add(locks + 1, 2);
  CHECK(before >= 0 && before < 2 * all && before % 2 == 0);
  CHECK(gdsm_reduce_int64(me, GDSM_MAX) == all - 1);
  CHECK(gdsm_reduce_double(me + 0.5, GDSM_MIN) == 0.5);
  double want = 0;
  for (int i = 0; i < all; ++i)
    want += 1.0 / (i + 3);
  CHECK(gdsm_reduce_double(1.0 / (me + 3), GDSM_SUM) == want);
  gdsm_barrier();
  CHECK(gdsm_fetch_add(locks + 1, 0) == 2 * all);
}

/* Nobody but this node knows of what its main thread does with locks that this
   node keeps. */
static void take_own_locks(void *unused) {
  (void)unused;
  gdsm_barrier();
  if (gdsm_thread() % gdsm_threads_per_node() == 0) {
    struct gdsm_statistics before, after;
    gdsm_lock_t nodes = (gdsm_lock_t)gdsm_nodes();
    gdsm_lock_t own = (own_locks / nodes + 1) * nodes + (gdsm_lock_t)gdsm_node();
    gdsm_get_statistics(&before);
    for (int i = 0; i < 100; ++i) {
      gdsm_lock(own);
      gdsm_unlock(own);
    }
    gdsm_get_statistics(&after);
    CHECK(after.messages == before.messages);
  }
  gdsm_barrier();
}

int main(void) {
  if (gdsm_node() == 0) {
    s = (struct shared *)gdsm_malloc(sizeof *s);
    STORE(&s->words,
          (int64_t *)gdsm_alloc(Words * sizeof(int64_t), 64, 0));
    locks = gdsm_locks_new(3);
    own_locks = gdsm_locks_new(2 * (uint64_t)gdsm_nodes());
  }
  gdsm_broadcast(&s, sizeof s, 0);
  gdsm_broadcast(&locks, sizeof locks, 0);
  gdsm_broadcast(&own_locks, sizeof own_locks, 0);
  gdsm_parallel(work, &s);
  gdsm_parallel(take_own_locks, NULL);
  gdsm_barrier();
  char big[10000];
  memset(big, gdsm_node() + 1, sizeof big);
  gdsm_broadcast(big, sizeof big, gdsm_nodes() - 1);
  for (unsigned i = 0; i < sizeof big; ++i)
    CHECK(big[i] == gdsm_nodes());
  CHECK(gdsm_reduce_int64(1, GDSM_SUM) == gdsm_nodes());
  double start = gdsm_time();
  CHECK(start > 0 && gdsm_time() >= start);
  struct gdsm_statistics st;
  gdsm_get_statistics(&st);
  CHECK(st.load_faults + st.store_faults > 0);
  CHECK((st.messages > 0) == (gdsm_nodes() > 1));
  if (gdsm_node() == 0)
    printf("all right on %d nodes, %d threads\n", gdsm_nodes(),
           gdsm_threads());
  return 0;
}
