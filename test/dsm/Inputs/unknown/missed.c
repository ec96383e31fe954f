/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ways to get at shared memory without checks that no call tells of. Node 0 writes ones;
   node 1 does what the argument says, and both look at the result. */
#include "missed.h"
#include "way.h"
#include <graupel/dsm.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

GDSM_UNCHECKED void foreign_keep(void *p);

static long *data;
long *asm_global;
static struct node chain;

static long checked_sum(const long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += p[i];
  return s;
}

GDSM_NOCHECK __attribute__((noinline)) static long nocheck_load(long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += *(volatile long *)&p[i]; /* nocheck_load */
  return s;
}
GDSM_NOCHECK __attribute__((noinline)) static void nocheck_store(long *p) {
  for (int i = 0; i < N; i++)
    *(volatile long *)&p[i] = 2; /* nocheck_store */
}
GDSM_NOCHECK static long nocheck_inline(long *p) {
  return *(volatile long *)p * N; /* nocheck_inline */
}
static long in_assembly(void) {
  long s;
  __asm__ volatile("movq asm_global(%%rip), %%rdx\n movq (%%rdx), %0" /* in_assembly */
                   : "=r"(s)
                   :
                   : "rdx", "memory");
  return s * N;
}
static long store_in_assembly(void) {
  __asm__ volatile("movq asm_global(%%rip), %%rdx\n movq $2, (%%rdx)" /* store_in_assembly */
                   :
                   :
                   : "rdx", "memory");
  return N;
}

static long go(const char *way) {
  foreign_keep(data);
  asm_global = data;
  chain.data = data;
  WAY("global", from_global());
  WAY("structure", from_structure());
  WAY("number", (foreign_keep_number((double)(uintptr_t)data), from_number()));
  WAY("halves", (foreign_keep_halves((unsigned)(uintptr_t)data,
                                     (unsigned)((uintptr_t)data >> 32)),
                 from_halves()));
  WAY("distance", from_distance());
  WAY("result", from_result());
  WAY("vectors", vectors());
  WAY("wide-vectors", wide_vectors());
  WAY("vectors-half", (data[1] == 1 ? vectors() : 0));
  WAY("bytes", bytes());
  WAY("counted", counted());
  WAY("exchanged", exchanged());
  WAY("library-reads", read_by_library());
  WAY("string-instruction", string_instruction());
  WAY("thread", in_thread());
  WAY("written", written());
  WAY("library-writes", written_by_library());
  WAY("library-clears", cleared());
  WAY("assembly", from_assembly());
  WAY("nocheck-load", nocheck_load(data));
  WAY("nocheck-store", (nocheck_store(data), N));
  WAY("nocheck-inline", nocheck_inline(data));
  WAY("in-assembly", in_assembly());
  WAY("store-in-assembly", store_in_assembly());
  WAY("checked", checked_sum(data));
  return -1;
}

int main(int argc, char **argv) {
  int writes = argc > 2;
  foreign_keep_structure(&chain);
  if (gdsm_node() == 0) {
    data = gdsm_alloc(8192, 0, 0);
    for (int i = 0; i < 2 * N; i++)
      data[i] = 1;
  }
  gdsm_broadcast(&data, sizeof data, 0);
  /* The page is mapped here, its first blocks are not. */
  long other = data[3000 / sizeof *data];
  gdsm_barrier();
  long result = gdsm_node() == 1 ? go(argv[1]) + other : N;
  gdsm_barrier();
  /* What it stored has come back. */
  if (writes && gdsm_node() == 0)
    result = data[0] == 1 ? 0 : N;
  if (gdsm_node() == 1)
    printf("%s: %ld\n", argv[1], result);
  return result != N;
}
