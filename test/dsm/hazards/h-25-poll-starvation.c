// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-25: code that runs for long without a miss: leaf loops, recursion without loops, and
   large bodies that were unrolled. Another node takes blocks of the one that computes,
   and must not wait for the end of it.
   Breaks without polls in loops or in recursive functions (PollPlan.cpp).

   REQUIRES: graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O3 %s -o %t
   RUN: %dsm-run -n 2 %t loop
   RUN: %dsm-run -n 2 %t recursion
*/
#include "graupel/dsm.h"
#include <stdio.h>
#include <stdlib.h>

struct shared { long words[64 * 16]; double end; };
static volatile long sink;

__attribute__((noinline)) static long fib(long n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__attribute__((noinline)) static unsigned long mix(unsigned long x, long n) {
  for (long i = 0; i < n; ++i)
    x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

int main(int argc, char **argv) {
  struct shared *s = NULL;
  if (gdsm_node() == 0)
    s = (struct shared *)gdsm_alloc(sizeof *s, 128, 0);
  gdsm_broadcast(&s, sizeof s, 0);
  for (int i = 0; gdsm_node() == 0 && i < 64; ++i)
    s->words[i * 16] = 1;
  gdsm_barrier();
  double start = gdsm_time(), took = 0;
  if (gdsm_node() == 0) {
    /* 4 s without a call of the runtime: each piece is long. */
    while (gdsm_time() - start < 4) {
      long n = *argv[1] == 'l' ? (long)mix(1, 2000000000) : fib(41);
      sink = n;
    }
  } else {
    for (int i = 0; i < 64; ++i)
      s->words[i * 16] = 2;
    took = gdsm_time() - start;
  }
  double computed = gdsm_time() - start;
  gdsm_barrier();
  double longest = gdsm_reduce_double(took, GDSM_MAX);
  computed = gdsm_reduce_double(gdsm_node() ? 0 : computed, GDSM_MAX);
  /* Without polls it waits for a piece at least. */
  if (gdsm_node() == 0 && longest > computed / 4) {
    printf("64 blocks of a node that computes for %.2f s took %.2f s\n", computed, longest);
    return 1;
  }
  return 0;
}
