/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared records are sorted on the last node, in an order that the first node chose and
   changes between rounds; comparisons follow pointers and look at shared globals. */
#define _GNU_SOURCE
#include <graupel/dsm.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, ROUNDS = 4 };
struct record {
  long key, *far;
  char rest[40];
};
static GDSM_GLOBAL int sign;

static int by_key(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return sign * ((x->key > y->key) - (x->key < y->key));
}
static int by_far(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (*x->far > *y->far) - (*x->far < *y->far);
}
static int by_sign(const void *a, const void *b, void *sign_at) {
  const struct record *x = a, *y = b;
  return *(int *)sign_at * ((x->key > y->key) - (x->key < y->key));
}
/* It is also called where the records are. */
__attribute__((noinline)) static int both(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static GDSM_GLOBAL struct record *records;
static GDSM_GLOBAL long *far;
static int wrong;

static void part(void *unused) {
  for (int round = 0; round < ROUNDS; ++round) {
    if (gdsm_thread() == 0) {
      sign = round % 2 ? 1 : -1;
      for (int i = 0; i < N; ++i) {
        far[i] = i * 7919L % N;
        records[i].key = i * 7907L % N;
        records[i].far = far + i;
      }
    }
    gdsm_barrier();
    if (gdsm_thread() == gdsm_threads() - 1) {
      qsort(records, N, sizeof *records, by_key);
      for (int i = 1; i < N; ++i)
        wrong += sign * records[i - 1].key > sign * records[i].key;
      qsort(records, N, sizeof *records, by_far);
      for (int i = 1; i < N; ++i)
        wrong += *records[i - 1].far > *records[i].far;
      qsort_r(records, N, sizeof *records, by_sign, &sign);
      for (int i = 1; i < N; ++i)
        wrong += sign * records[i - 1].key > sign * records[i].key;
      qsort(records, N, sizeof *records, both);
    }
    gdsm_barrier();
    for (int i = 1; i < N; ++i)
      wrong += both(records + i - 1, records + i) > 0;
    gdsm_barrier();
  }
  if (wrong)
    printf("wrong: %d\n", wrong);
  else if (gdsm_thread() == 0)
    puts("all right");
}

int main(void) {
  records = gdsm_malloc(N * sizeof *records);
  far = gdsm_malloc(N * sizeof *far);
  gdsm_parallel(part, NULL);
  return wrong != 0;
}
