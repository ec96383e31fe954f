/*===- remote.c - Misses, bandwidth, synchronization --------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Two nodes. Node 1 is home of an array; thread 0 touches a word of every
|* block, after all of the pages have been touched before:
|*
|*   read BYTES        Invalid here, ReadWrite at home; it is read
|*   upgrade BYTES     ReadOnly on both; it is written
|*   write BYTES       Invalid here, ReadWrite at home; it is written
|*
|* each in microseconds, the median of all blocks, and the tenth and 90th
|* percentile. Then the bandwidth of reading such an array in order, in MB/s,
|* for blocks of 128 bytes and of 4 KiB, and microseconds of a barrier, of an
|* uncontended lock and unlock, of a lock that both nodes want, and of a
|* fetch-and-add; and how many messages were set aside on receipt, which Stache
|* never needs. With several threads a node all but the first ones wait in a
|* barrier meanwhile, and only latencies are measured.
|*
|*   graupel dsm run -n 2 [--threads-per-node=T] remote [ROUNDS]
|*
\*===----------------------------------------------------------------------===*/

#include "timing.h"

enum { BLOCKS = 4096, BYTES = 1 << 20, OPERATIONS = 2000 };

static const size_t Sizes[] = {64, 128, 1024, 4096};
enum { SIZES = sizeof Sizes / sizeof Sizes[0] };

static char *latency_array[SIZES];
static double *stream[2];
static gdsm_lock_t numbers;
static long rounds = 5;

/* --- Latency -------------------------------------------------------------- */

static void touch_all(char *array, size_t size) {
  for (long b = 0; b < BLOCKS; ++b)
    *(volatile uint64_t *)(array + b * (long)size) = (uint64_t)b;
}

static void time_reads(const char *array, size_t size, uint64_t *ticks) {
  for (long b = 0; b < BLOCKS; ++b) {
    uint64_t start = __rdtsc();
    (void)*(const volatile uint64_t *)(array + b * (long)size);
    ticks[b] = __rdtsc() - start;
  }
}

static void time_writes(char *array, size_t size, uint64_t *ticks) {
  for (long b = 0; b < BLOCKS; ++b) {
    uint64_t start = __rdtsc();
    *(volatile uint64_t *)(array + b * (long)size) = 1;
    ticks[b] = __rdtsc() - start;
  }
}

static void report_latency(const char *kind, size_t size, uint64_t *ticks) {
  char name[40];
  snprintf(name, sizeof name, "%s %zu", kind, size);
  report(name, ticks, rounds * BLOCKS, 1, 1e6);
}

/** The thread that is home. */
static int partner(void) { return gdsm_threads_per_node(); }

static void measure_latency(char *array, size_t size, int thread) {
  uint64_t *ticks = NULL;
  if (thread == 0) {
    ticks = private_alloc((size_t)(3 * rounds * BLOCKS) * sizeof *ticks);
    touch_all(array, size); /* Maps the pages here. */
  }
  uint64_t *reads = ticks, *upgrades = ticks + rounds * BLOCKS,
           *writes = ticks + 2 * rounds * BLOCKS;
  gdsm_barrier();
  for (long round = 0; round < rounds; ++round)
    for (int kind = 0; kind < 2; ++kind) {
      if (thread == partner())
        touch_all(array, size);
      gdsm_barrier();
      if (thread == 0 && kind == 0) {
        time_reads(array, size, reads + round * BLOCKS);
        time_writes(array, size, upgrades + round * BLOCKS);
      } else if (thread == 0) {
        time_writes(array, size, writes + round * BLOCKS);
      }
      gdsm_barrier();
    }
  if (thread == 0) {
    report_latency("read", size, reads);
    report_latency("upgrade", size, upgrades);
    report_latency("write", size, writes);
    free(ticks);
  }
}

/* --- Bandwidth ------------------------------------------------------------ */

static double sum_up(const double *restrict array) {
  double sum[4] = {0};
  for (long i = 0; i < BYTES / (long)sizeof(double); i += 4)
    for (int k = 0; k < 4; ++k)
      sum[k] += array[i + k];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

static void measure_bandwidth(double *array, size_t block, int thread) {
  double best = 1e9, sum = 0;
  for (long round = 0; round <= rounds; ++round) {
    if (thread == 1)
      for (long i = 0; i < BYTES / (long)sizeof(double); ++i)
        array[i] = (double)i;
    gdsm_barrier();
    if (thread == 0) {
      double start = gdsm_time();
      sum += sum_up(array);
      best = fmin(best, gdsm_time() - start);
    }
    gdsm_barrier();
  }
  if (thread == 0)
    printf("bandwidth %zu: %.1f MB/s checksum %.17g\n", block,
           1e-6 * BYTES / best, sum);
}

/* --- Synchronization ------------------------------------------------------ */

static void measure_synchronization(int thread) {
  double start = gdsm_time();
  for (int i = 0; i < OPERATIONS; ++i)
    gdsm_barrier();
  if (thread == 0)
    printf("barrier: %.3f us\n", 1e6 * (gdsm_time() - start) / OPERATIONS);
  if (thread == 0) {
    start = gdsm_time();
    for (int i = 0; i < OPERATIONS; ++i) {
      gdsm_lock(numbers);
      gdsm_unlock(numbers);
    }
    printf("lock: %.3f us\n", 1e6 * (gdsm_time() - start) / OPERATIONS);
  }
  gdsm_barrier();
  start = gdsm_time();
  for (int i = 0; i < OPERATIONS; ++i) {
    gdsm_lock(numbers + 1);
    gdsm_unlock(numbers + 1);
  }
  gdsm_barrier();
  if (thread == 0) {
    printf("contended lock: %.3f us\n",
           1e6 * (gdsm_time() - start) / (2 * OPERATIONS));
    start = gdsm_time();
    for (int i = 0; i < OPERATIONS; ++i)
      gdsm_fetch_add(numbers + 2, 1);
    printf("fetch-and-add: %.3f us\n",
           1e6 * (gdsm_time() - start) / OPERATIONS);
  }
  gdsm_barrier();
}

static void measure(void *unused) {
  int thread = gdsm_thread();
  (void)unused;
  calibrate();
  for (int s = 0; s < SIZES; ++s)
    measure_latency(latency_array[s], Sizes[s], thread);
  if (gdsm_threads_per_node() > 1)
    return;
  measure_bandwidth(stream[0], 128, thread);
  measure_bandwidth(stream[1], 4096, thread);
  measure_synchronization(thread);
}

int main(int argc, char **argv) {
  program_name = "remote";
  if (argc > 1)
    rounds = atol(argv[1]);
  if (rounds < 1)
    fail("usage: remote [ROUNDS]; not ", argv[1]);
  if (gdsm_nodes() != 2)
    fail("needs two nodes: graupel dsm run -n 2 remote", "");
  if (gdsm_node() == 0) {
    for (int s = 0; s < SIZES; ++s)
      latency_array[s] = gdsm_alloc(BLOCKS * Sizes[s], Sizes[s], 1);
    stream[0] = gdsm_alloc(BYTES, 128, 1);
    stream[1] = gdsm_alloc(BYTES, 4096, 1);
    numbers = gdsm_locks_new(3);
  }
  gdsm_broadcast(latency_array, sizeof latency_array, 0);
  gdsm_broadcast(stream, sizeof stream, 0);
  gdsm_broadcast(&numbers, sizeof numbers, 0);
  gdsm_parallel(measure, NULL);
  report_set_aside();
  return 0;
}
