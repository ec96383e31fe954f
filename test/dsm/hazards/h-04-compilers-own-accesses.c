// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-4: accesses that the compiler makes: loops that become memset and memcpy, widened and
   vectorized loads, structs that are copied. Values that were loaded under a sentinel
   check are not loaded again behind it. Compiled at each level, and verified.
   Breaks if the passes ran before those that make such accesses (Plugin.cpp).

   REQUIRES: graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O1 %s -o %t.1
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O3 -march=native %s -o %t.3
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -Os -flto %s -o %t.s
   RUN: %dsm-run -n 2 %t.1
   RUN: %dsm-run -n 2 %t.3
   RUN: %dsm-run -n 3 %t.s
*/
#include "graupel/dsm.h"
#include <stdlib.h>

enum { Count = 801, Rounds = 4 };
struct item { char a; short b; char pad[3]; long c; float d[5]; };
struct shared { struct item items[Count]; char bytes[Count]; int words[Count]; };

static void need(int condition) {
  if (!condition)
    abort();
}

static void turn(struct shared *s, struct shared *t, int round) {
  for (int i = 0; i < Count; ++i) /* Becomes memset. */
    s->bytes[i] = (char)round;
  for (int i = 0; i < Count; ++i)
    s->words[i] = i + round;
  for (int i = 0; i < Count; ++i) /* Becomes memcpy. */
    t->words[i] = s->words[i];
  for (int i = 1; i < Count; ++i) {
    s->items[i - 1] = t->items[i];
    s->items[i].c = i * (long)round;
    s->items[i].d[i % 5] = (float)round;
    t->items[i] = s->items[i];
  }
}

static void look(const struct shared *s, int round) {
  long sum = 0, bytes = 0, right = 0;
  for (int i = 0; i < Count; ++i) {
    sum += s->words[i];
    bytes += s->bytes[i] == (char)round;
    right += i == 0 || s->items[i].c == i * (long)round;
  }
  need(sum == (long)Count * (Count - 1) / 2 + (long)Count * round);
  need(bytes == Count && right == Count);
}

int main(void) {
  struct shared *s[2] = {NULL, NULL};
  if (gdsm_node() == 0)
    for (int i = 0; i < 2; ++i)
      s[i] = (struct shared *)gdsm_alloc(sizeof(struct shared), 64, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(s, sizeof s, 0);
  for (int round = 0; round < Rounds; ++round) {
    if (round % gdsm_nodes() == gdsm_node()) {
      struct shared *a = s[0], *b = s[1];
      for (int i = 0; i < Count; ++i)
        b->items[i].c = (i - 1) * (long)round;
      turn(a, b, round);
      long right = 0;
      for (int i = 1; i < Count; ++i)
        right += b->words[i] == i + round && b->items[i].c == i * (long)round;
      need(right == Count - 1);
      for (int i = 0; i < Count; ++i)
        a->items[i].c = i * (long)round;
    }
    gdsm_barrier();
    look(s[0], round);
    gdsm_barrier();
  }
  return 0;
}
