/*===- radix.c - Radix sort ---------------------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Parallel integer radix sort (the SPLASH-2 kernel's algorithm): per digit,
   each thread counts its keys, the counts are summed up over threads and
   digits, and each thread moves its keys to where they belong. */
#include "graupel/dsm.h"
#include "options.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 256

struct prefix_node {
  long total; /* keys in the digits of this thread's slice */
  long pad[15];
};

struct global_memory {
  int *key[2];               /* from and to, in turn */
  int *density[MAX_THREADS]; /* per thread, by digit */
  long *rank[MAX_THREADS];   /* per thread: next place, by digit */
  struct prefix_node slice[MAX_THREADS];
  long errors[MAX_THREADS];
  int final; /* which of key[] is the result */
};

static struct global_memory *global;
static long num_keys;
static int radix, log2_radix, key_bits;

static uint64_t scramble(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static void range_of(int me, int threads, long count, long *from, long *to) {
  *from = count * me / threads;
  *to = count * (me + 1) / threads;
}

static void init_keys(int *key, long from, long to) {
  long i;

  /* The mean of four gives the bell shape that NPB and SPLASH use. */
  for (i = from; i < to; i++) {
    uint64_t mask = ((uint64_t)1 << key_bits) - 1, sum = 0;
    int part;
    for (part = 0; part < 4; part++)
      sum += scramble((uint64_t)i * 4 + (uint64_t)part) & mask;
    key[i] = (int)(sum / 4);
  }
}

static void count_digits(const int *key, int *density, long from, long to,
                         int shift) {
  long i;
  int mask = radix - 1;

  for (i = 0; i < radix; i++)
    density[i] = 0;
  for (i = from; i < to; i++)
    density[(key[i] >> shift) & mask]++;
}

/* Each thread does a slice of the digits: where the keys of thread t with
   digit d begin, counted from the beginning of the slice. */
static void rank_slice(int me, int threads) {
  long from, to, d, sum = 0;
  int t;

  range_of(me, threads, radix, &from, &to);
  for (d = from; d < to; d++)
    for (t = 0; t < threads; t++) {
      global->rank[t][d] = sum;
      sum += global->density[t][d];
    }
  global->slice[me].total = sum;
}

static void offset_slice(int me, int threads) {
  long from, to, d, before = 0;
  int t;

  for (t = 0; t < me; t++)
    before += global->slice[t].total;
  range_of(me, threads, radix, &from, &to);
  for (t = 0; t < threads; t++) {
    long *rank = global->rank[t];
    for (d = from; d < to; d++)
      rank[d] += before;
  }
}

static void permute(const int *key_from, int *key_to, long *rank, long from,
                    long to, int shift) {
  long i;
  int mask = radix - 1;

  for (i = from; i < to; i++) {
    int this_key = key_from[i];
    int digit = (this_key >> shift) & mask;
    key_to[rank[digit]] = this_key;
    rank[digit]++;
  }
}

static long count_errors(const int *key, long from, long to) {
  long i, errors = 0;

  for (i = from; i < to; i++)
    if (i > 0 && key[i - 1] > key[i])
      errors++;
  return errors;
}

static void slave_sort(void *unused) {
  int me = gdsm_thread(), threads = gdsm_threads();
  int from_array = 0, shift;
  long from, to;

  (void)unused;
  range_of(me, threads, num_keys, &from, &to);
  init_keys(global->key[0], from, to);
  gdsm_barrier();
  for (shift = 0; shift < key_bits; shift += log2_radix) {
    int to_array = 1 - from_array;
    count_digits(global->key[from_array], global->density[me], from, to, shift);
    gdsm_barrier();
    rank_slice(me, threads);
    gdsm_barrier();
    offset_slice(me, threads);
    gdsm_barrier();
    permute(global->key[from_array], global->key[to_array], global->rank[me],
            from, to, shift);
    gdsm_barrier();
    from_array = to_array;
  }
  global->errors[me] = count_errors(global->key[from_array], from, to);
  if (me == 0)
    global->final = from_array;
  gdsm_barrier();
}

static uint64_t checksum(const int *key) {
  uint64_t sum = 0;
  long i;

  for (i = 0; i < num_keys; i++)
    sum = sum * 31 + (uint64_t)key[i] * (uint64_t)(i + 1);
  return sum;
}

int main(int argc, char **argv) {
  int i, middle = is_middle(argc, argv);
  double start;

  num_keys = middle ? 14L << 20 : 1L << 20;
  log2_radix = 10;
  radix = 1 << log2_radix;
  key_bits = 30;

  if (gdsm_node() == 0) {
    global = gdsm_malloc(sizeof *global);
    for (i = 0; i < 2; i++)
      global->key[i] = gdsm_alloc((size_t)num_keys * sizeof(int), 1024,
                                  GDSM_HOME_FIRST_TOUCH);
    for (i = 0; i < gdsm_threads(); i++) {
      global->density[i] = gdsm_malloc((size_t)radix * sizeof(int));
      global->rank[i] = gdsm_malloc((size_t)radix * sizeof(long));
    }
  }
  gdsm_broadcast(&global, sizeof global, 0);
  start = gdsm_time();
  gdsm_parallel(slave_sort, NULL);
  if (gdsm_node() == 0) {
    long errors = 0;
    for (i = 0; i < gdsm_threads(); i++)
      errors += global->errors[i];
    printf("result: radix keys %ld errors %ld checksum %016llx\n", num_keys,
           errors, (unsigned long long)checksum(global->key[global->final]));
    printf("time: %.4f\n", gdsm_time() - start);
  }
  return 0;
}
