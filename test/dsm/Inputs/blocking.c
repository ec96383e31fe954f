// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-14: threads that the program makes, and threads that block in the C library,
   must neither be overlooked by the protocol nor keep it waiting. */
#include "checked.h"
#include <pthread.h>
#include <unistd.h>

enum { Rounds = 3000 };
static struct shared {
  int64_t sum, guarded, asleep;
} *s;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void add(int64_t *p) {
  before_store(p, sizeof *p);
  __asm__ volatile("lock incq %0" : "+m"(*p) : : "memory");
}

/* Fights with the other nodes while this node's main thread is in pthread_join, and
   with its siblings for a mutex that its owner may fault under. */
static void *fight(void *unused) {
  (void)unused;
  for (int i = 0; i < Rounds; ++i) {
    add(&s->sum);
    if (i % 4 == 0) {
      pthread_mutex_lock(&mutex);
      add(&s->guarded);
      pthread_mutex_unlock(&mutex);
    }
    check_poll();
  }
  return NULL;
}

static int strange_tag, known_tag;
static void *stranger(void *word) {
  strange_tag = checked_tag(word);
  int64_t v = LOAD((int64_t *)word);
  known_tag = checked_tag(word);
  return v == 5 ? word : NULL;
}

int main(void) {
  if (gdsm_node() == 0)
    s = (struct shared *)gdsm_alloc(sizeof *s, 32, 0);
  gdsm_broadcast(&s, sizeof s, 0);
  gdsm_barrier();

  pthread_t t[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&t[i], NULL, fight, NULL);
  for (int i = 0; i < 3; ++i)
    pthread_join(t[i], NULL);
  gdsm_barrier();
  CHECK(LOAD(&s->sum) == 3 * Rounds * gdsm_nodes());
  CHECK(LOAD(&s->guarded) == 3 * Rounds / 4 * gdsm_nodes());
  gdsm_barrier();

  /* What others may take away cannot be relied on before the first entry. */
  int64_t *own = (int64_t *)gdsm_alloc(8, 32, GDSM_HOME_LOCAL);
  STORE(own, 5);
  void *answer;
  pthread_create(&t[0], NULL, stranger, own);
  pthread_join(t[0], &answer);
  CHECK(answer == own && strange_tag < 0 && known_tag == 0);

  /* Others get what is at home on a node that sleeps. */
  if (gdsm_node() == 0)
    STORE(&s->asleep, 1);
  gdsm_barrier();
  double start = gdsm_time();
  if (gdsm_node() == 0) {
    sleep(4);
  } else {
    CHECK(LOAD(&s->asleep) >= 1);
    add(&s->asleep);
    CHECK(gdsm_time() - start < 3);
  }
  gdsm_barrier();
  CHECK(LOAD(&s->asleep) == gdsm_nodes());
  if (gdsm_node() == 0)
    printf("all right\n");
  return 0;
}
