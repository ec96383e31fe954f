// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-6: accesses that lie across two blocks or pages: packed fields, vectors, x87,
   string instructions. Two nodes rewrite such fields in turns; each must see the
   whole of what the other wrote.
   Breaks if an entry looks at the first byte's tag only (firstRefused in
   Memory/TagTable.h): the other half is the sentinel, or the store is lost.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 %t 32
   RUN: %dsm-run -n 2 %t 256
   RUN: %dsm-run -n 3 %t 4096
*/
#include "checked.h"

enum { Pages = 3, Bytes = Pages * 4096, Rounds = 40 };
static char *memory;
static unsigned block;

/* Where something of `size` bytes lies across an edge, by `before` bytes. */
static char *across(int edge, int before) {
  return memory + edge * (block < 4096 ? (int)block : 4096) - before;
}

static void turn(int round) {
  for (int edge = 1; edge < 3; ++edge) {
    for (int before = 1; before < 8; ++before) {
      char *p = across(edge, before);
      uint64_t word, old = (uint64_t)(round - 1) * 0x0101010101010101u;
      graupel_dsm_load(p, 8);
      memcpy(&word, p, 8);
      CHECK(word == (round ? old : 0));
    }
    long double real, want = 1 + 1 / (1.0L + round);
    char *p = across(edge + 2, 3);
    graupel_dsm_store(p, sizeof real);
    if (round) {
      memcpy(&real, p, 10);
      CHECK(real == 1 + 1 / (1.0L + (round - 1)));
    }
    memcpy(p, &want, 10);
    typedef int vector __attribute__((vector_size(32), aligned(1)));
    vector *v = (vector *)across(edge + 4, 13), now = {round, 1, 2, 3, 4, 5, 6, ~round};
    graupel_dsm_load(v, sizeof *v);
    vector was = *v;
    for (int i = 1; i < 7; ++i)
      CHECK(was[i] == (round ? i : 0));
    CHECK(!round || (was[0] == round - 1 && was[7] == ~(round - 1)));
    graupel_dsm_store(v, sizeof *v);
    *v = now;
  }
  /* All edges of three pages at once, by rep movsb. */
  char from[64], to[64];
  memset(from, round, sizeof from);
  for (int page = 1; page < Pages; ++page) {
    char *p = memory + page * 4096 - 33, *d = to, *s = p;
    size_t n = sizeof to;
    graupel_dsm_store(p, n);
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
    if (round && block < 512)
      CHECK(memchr(to, round - 1, sizeof to) == to && to[63] == round - 1);
    d = p, s = from, n = sizeof from;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
  }
  for (int edge = 1; edge < 3; ++edge) {
    char *p = across(edge, 15);
    graupel_dsm_store(p, 30);
    memset(p, round, 30);
  }
}

int main(int argc, char **argv) {
  block = (unsigned)atoi(argv[argc - 1]);
  if (gdsm_node() == 0)
    memory = (char *)gdsm_alloc(Bytes * 8, block, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&memory, sizeof memory, 0);
  for (int round = 0; round < Rounds; ++round) {
    if (round % gdsm_nodes() == gdsm_node())
      turn(round);
    gdsm_barrier();
  }
  return 0;
}
