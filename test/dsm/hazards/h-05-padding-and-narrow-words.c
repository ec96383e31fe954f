// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-5: padding, narrow words and bytes that look like parts of the sentinel. memcmp, byte
   loops and memcpy of structs use range checks, so an invalid block is never taken for
   data, and data that equal the sentinel are not faults for ever.
   Breaks if bytes or halves were compared with parts of the sentinel, or if a load whose
   value is the sentinel were not let pass in the end.

   REQUIRES: graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O2 %s -o %t
   RUN: %dsm-run -n 2 %t
*/
#include "graupel/dsm.h"
#include "graupel/dsm_checks.h"
#include <stdlib.h>
#include <string.h>

struct odd { char a; int b; short c; double d; char e; };
struct all {
  struct odd odd[100];
  uint8_t bytes[256];
  uint16_t halves[128];
  uint32_t words[64];
  uint64_t longs[64];
  float reals[64];
};

static void need(int condition) {
  if (!condition)
    abort();
}

static void set(struct all *a, int round) {
  memset(a, 0, sizeof *a);
  for (int i = 0; i < 100; ++i)
    a->odd[i] = (struct odd){(char)i, i, (short)round, i + 0.5, 1};
  uint32_t s = GRAUPEL_DSM_SENTINEL;
  for (int i = 0; i < 64; ++i) {
    a->words[i] = s;
    a->longs[i] = s | (uint64_t)(i % 2 ? s : (uint32_t)round) << 32;
    memcpy(&a->reals[i], &s, 4);
    a->halves[2 * i] = (uint16_t)s, a->halves[2 * i + 1] = (uint16_t)(s >> 16);
    for (int j = 0; j < 4; ++j)
      a->bytes[4 * i + j] = (uint8_t)(s >> 8 * j);
  }
}

int main(void) {
  struct all *a = NULL;
  static struct all want;
  if (gdsm_node() == 0)
    a = (struct all *)gdsm_alloc(sizeof *a, 32, 1);
  gdsm_broadcast(&a, sizeof a, 0);
  for (int round = 0; round < 20; ++round) {
    if (round % gdsm_nodes() == gdsm_node())
      set(a, round);
    gdsm_barrier();
    set(&want, round);
    for (int i = 0; i < 100; ++i)
      need(a->odd[i].b == i && a->odd[i].c == round && a->odd[i].e == 1);
    unsigned sum = 0, expected = 0;
    for (int i = 0; i < 256; ++i)
      sum += a->bytes[i], expected += want.bytes[i];
    for (int i = 0; i < 128; ++i)
      sum += a->halves[i], expected += want.halves[i];
    for (int i = 0; i < 64; ++i) {
      sum += a->words[i], expected += want.words[i];
      need(a->longs[i] == want.longs[i]);
      float r = a->reals[i];
      need(memcmp(&r, &want.reals[i], 4) == 0);
    }
    need(sum == expected);
    need(memcmp(a->bytes, want.bytes, sizeof *a - offsetof(struct all, bytes)) == 0);
    gdsm_barrier();
  }
  return 0;
}
