// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-20: misses block and the protocol is sequentially consistent, so with fences
   programs on several nodes see what a sequentially consistent machine allows: store
   buffering, message passing, and independent reads of independent writes.
   Breaks if a writer goes on before all copies are gone (see also
   StacheBroken.GivesBeforeAllHaveAcknowledged, which is run here).

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 4 %t
   RUN: graupel-dsm-unit-tests --gtest_filter=*GivesBeforeAll* | FileCheck %s
   CHECK: [  PASSED  ] 1
*/
#include "checked.h"

enum { Rounds = 250 };
struct words { int64_t x, fx[15], y, fy[15], r[4][16]; };
static struct words *s;

static void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static int64_t load(int64_t *p) {
  int64_t v = LOAD(p);
  fence();
  return v;
}
static void store(int64_t *p, int64_t v) {
  STORE(p, v);
  fence();
}
/* Nodes begin each round in another order. */
static void stagger(int round) {
  for (volatile int i = (gdsm_node() * 7 + round * 13) % 11 * 60; i > 0; i = i - 1)
    ;
}

int main(void) {
  if (gdsm_node() == 0)
    s = gdsm_alloc(sizeof *s, 128, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&s, sizeof s, 0);
  int me = gdsm_node();
  for (int round = 1; round <= Rounds; ++round) {
    /* All have copies of both. */
    load(&s->x), load(&s->y);
    gdsm_barrier();
    stagger(round);
    int64_t a, b;
    /* Store buffering on nodes 0 and 1; independent reads on 2 and 3. */
    if (me < 2) {
      store(me ? &s->y : &s->x, round);
      a = load(me ? &s->x : &s->y), b = 0;
    } else {
      a = load(me == 2 ? &s->x : &s->y);
      b = load(me == 2 ? &s->y : &s->x);
    }
    store(&s->r[me][0], a), store(&s->r[me][1], b);
    gdsm_barrier();
    if (me == 0) {
      CHECK(load(&s->r[0][0]) == round || load(&s->r[1][0]) == round);
      CHECK(!(load(&s->r[2][0]) == round && load(&s->r[2][1]) != round &&
              load(&s->r[3][0]) == round && load(&s->r[3][1]) != round));
    }
    gdsm_barrier();
  }
  return 0;
}
