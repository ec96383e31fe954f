// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-19: sentinels are written, and blocks filled, while threads read words of them
   that only the sentinel check guards. Each word is old, new or the sentinel as a
   whole; its value only grows; no store is lost under a sentinel.
   Breaks without the handshake for ReadWrite -> Invalid or ReadOnly (changeTags in
   Tempest/Blocks.cpp). Sentinels that are written by halves are within a nanosecond of
   each other, and were not noticed here.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t 32
   RUN: %dsm-run -n 3 --threads-per-node=2 %t 512
*/
#include "checked.h"

enum { Words = 256, Rounds = 400000 };
static uint64_t *words; /* Word w belongs to thread w % threads. */
static const uint64_t both = 0x100000001u;

static void work(void *unused) {
  int me = gdsm_thread(), all = gdsm_threads();
  static _Thread_local uint64_t seen[Words];
  unsigned random = (unsigned)me + 1;
  for (int i = 0; i < Rounds; ++i) {
    random = random * 1664525u + 1013904223u;
    int w = (int)(random >> 16) % Words;
    uint64_t v = LOAD_SENTINEL(&words[w]);
    CHECK((v >> 32) == (uint32_t)v && v >= seen[w] && (uint32_t)v <= Rounds);
    if (w % all == me) {
      CHECK(v == seen[w]);
      before_store(&words[w], 8);
      v = words[w] += both;
    }
    seen[w] = v;
    check_poll();
  }
  gdsm_barrier();
  for (int w = me; w < Words; w += all)
    CHECK(LOAD(&words[w]) == seen[w]);
}

int main(int argc, char **argv) {
  if (gdsm_node() == 0)
    words = gdsm_alloc(Words * 8, (size_t)atoi(argv[1]), GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&words, sizeof words, 0);
  gdsm_parallel(work, NULL);
  return 0;
}
