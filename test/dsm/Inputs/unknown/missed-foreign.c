/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiled by gcc. */
#include "missed.h"
#include <immintrin.h>
#include <pthread.h>
#include <string.h>

static long *kept;
static struct node *chain;
static double number;
static unsigned low_half, high_half;
static char private_memory[64];

void foreign_keep(void *p) { kept = p; }
void foreign_keep_structure(struct node *p) { chain = p; }
void foreign_keep_number(double n) { number = n; }
void foreign_keep_halves(unsigned low, unsigned high) {
  low_half = low;
  high_half = high;
}

/* One line for each access, so that a report can be compared with it. */
long from_global(void) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += *(volatile long *)&kept[i]; /* from_global */
  return s;
}
static long sum(const volatile long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += p[i]; /* sum */
  return s;
}
long from_structure(void) { return sum(chain->data); }
long from_number(void) { return sum((long *)(unsigned long)number); }
long from_halves(void) {
  return sum((long *)(low_half | (unsigned long)high_half << 32));
}
long from_distance(void) {
  return sum((long *)private_memory + (kept - (long *)private_memory));
}
static long *__attribute__((noinline)) result(void) { return kept; }
long from_result(void) { return sum(result()); }
/* Across blocks: the first half of an operand is valid, the second is not. */
long vectors(void) {
  __m128i s = _mm_setzero_si128();
  for (int i = 1; i < N + 1; i += 2)
    s = _mm_add_epi64(s, _mm_loadu_si128((__m128i *)(kept + i))); /* vectors */
  return _mm_cvtsi128_si64(s) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(s, s));
}
__attribute__((target("avx2"))) long wide_vectors(void) {
  long all[4];
  __m256i s = _mm256_setzero_si256();
  for (int i = 2; i < N + 2; i += 4)
    s = _mm256_add_epi64(s, _mm256_loadu_si256((__m256i *)(kept + i))); /* wide */
  _mm256_storeu_si256((__m256i *)all, s);
  return all[0] + all[1] + all[2] + all[3];
}
long bytes(void) {
  long s = 0;
  for (unsigned long i = 0; i < N * sizeof *kept; i++)
    s += ((volatile char *)kept)[i]; /* bytes */
  return s;
}
long counted(void) {
  return __atomic_add_fetch(kept, N - 1, __ATOMIC_SEQ_CST); /* counted */
}
long exchanged(void) {
  long one = 1;
  return __atomic_compare_exchange_n(kept, &one, 5, 0, __ATOMIC_SEQ_CST, /* exchanged */
                                     __ATOMIC_SEQ_CST)
             ? N
             : 0;
}
long read_by_library(void) {
  long mine[N];
  memcpy(mine, kept, *(volatile int *)&(int){sizeof mine}); /* read_by_library */
  return sum(mine);
}
long string_instruction(void) {
  long mine[N], *from = kept, *to = mine, n = N;
  __asm__ volatile("rep movsq" /* string_instruction */
                   : "+S"(from), "+D"(to), "+c"(n)
                   :
                   : "memory");
  return sum(mine);
}
static void *thread(void *unused) { return (void *)sum(kept); }
long in_thread(void) {
  pthread_t t;
  void *s;
  pthread_create(&t, NULL, thread, NULL);
  pthread_join(t, &s);
  return (long)s;
}
long written(void) {
  for (int i = 0; i < N; i++)
    *(volatile long *)&kept[i] = 2; /* written */
  return N;
}
long written_by_library(void) {
  long mine[N];
  for (int i = 0; i < N; i++)
    mine[i] = 2;
  memcpy(kept, mine, *(volatile int *)&(int){sizeof mine}); /* written_by_library */
  return N;
}
long cleared(void) {
  memset(kept, 2, *(volatile int *)&(int){N * sizeof *kept}); /* cleared */
  return N;
}
