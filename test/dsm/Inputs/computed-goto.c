/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Interpreters: loops that jump by the addresses of their blocks. One counts in an area, one is in a
   loop and expected to be one strip. Each node computes what one does alone. */
#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 5000, Long = 20000, Many = 100000, Rounds = 300 };

__attribute__((noinline)) static long count(const unsigned char *restrict op, const int *restrict a,
                                            int *restrict counts, int n, int me) {
  static void *const where[] = {&&one, &&two, &&none, &&one};
  long sum = 0;
  for (int i = 0; i < n; i++) {
    goto *where[op[i] & 3];
  one:
    sum += i;
    counts[(a[i] & 255) * 2 + me]++;
    goto next;
  two:
    sum -= 3;
    counts[(a[i] & 255) * 2 + me] += 2;
    goto next;
  none:
    sum ^= i;
  next:;
  }
  return sum;
}

__attribute__((noinline)) static long look_up(const int *restrict a, const int *restrict table, int n,
                                              int times) {
  static void *const where[] = {&&add, &&look, &&flip, &&add};
  long sum = 0;
  for (int r = 0; r < times; r++) {
    int m = n - r;
    for (int i = 0; i < m; i++) {
      int v = a[i];
      goto *where[v & 3];
    add:
      sum += i;
      goto next;
    look:
      sum += table[(unsigned)v % Many];
      goto next;
    flip:
      sum ^= v;
    next:;
    }
  }
  return sum;
}

static void fill(unsigned char *op, int *a, int *table, int k) {
  for (int i = 0; i < N; i++)
    op[i] = i * 7 + (i >> 3);
  for (int i = 0; i < Long; i++)
    a[i] = i * 13 + k;
  for (int i = 0; i < Many; i++)
    table[i] = i + k;
}

static unsigned char *op;
static int *a, *counts, *table;

static void work(void *unused) {
  int me = gdsm_thread() & 1, *own = malloc(Long * sizeof *own), *own_table = malloc(Many * sizeof *own);
  int *own_counts = calloc(512, sizeof *own_counts);
  unsigned char *own_op = malloc(N);
  for (int k = 0; k < 3; k++) {
    if (gdsm_thread() == 0)
      fill(op, a, table, k);
    fill(own_op, own, own_table, k);
    gdsm_barrier();
    for (int r = 0; r < Rounds; r++)
      if (count(op, a, counts, N, me) != count(own_op, own, own_counts, N, me))
        printf("wrong sum\n");
    if (look_up(a, table, Long, 3) != look_up(own, own_table, Long, 3))
      printf("wrong table\n");
    gdsm_barrier();
    for (int i = 0; i < 256; i++)
      if (counts[2 * i + me] != own_counts[2 * i + me]) {
        printf("wrong count\n");
        break;
      }
    gdsm_barrier();
  }
  if (gdsm_thread() == 0)
    printf("all right\n");
}

int main(void) {
  if (gdsm_node() == 0) {
    op = gdsm_alloc(N, 0, 0);
    a = gdsm_alloc(Long * sizeof *a, 0, 0);
    counts = gdsm_alloc(512 * sizeof *counts, 0, 0);
    table = gdsm_alloc(Many * sizeof *table, 0, 0);
  }
  gdsm_broadcast(&op, sizeof op, 0);
  gdsm_broadcast(&a, sizeof a, 0);
  gdsm_broadcast(&counts, sizeof counts, 0);
  gdsm_broadcast(&table, sizeof table, 0);
  gdsm_parallel(work, 0);
}
