/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stream MEGABYTES PROCESSOR...: bandwidth of a loop over arrays of doubles, in
 * the manner of STREAM: a thread on each processor has a part of each array.
 * Prints the most of several runs in 10^6 bytes a second, for a sum (bytes read)
 * and a copy (bytes read; as many are written). Shares no code with `graupel
 * numa bench`, which it is compared with. */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { RUNS = 60, MOST = 1024 };

static double *a, *b;
static size_t part;
static pthread_barrier_t barrier;
static double most_read, most_copied;
static int threads;

static struct thread {
  pthread_t id;
  int processor, number;
  double sum, start, end;
} all[MOST];

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double sum(const double *from) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (size_t i = 0; i < part; i += 8) {
    s0 += from[i];
    s1 += from[i + 1];
    s2 += from[i + 2];
    s3 += from[i + 3];
    s4 += from[i + 4];
    s5 += from[i + 5];
    s6 += from[i + 6];
    s7 += from[i + 7];
  }
  return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

static void copy(double *restrict to, const double *restrict from) {
  for (size_t i = 0; i < part; i++)
    to[i] = from[i];
}

/* From the first thread's start to the last one's end. */
static void note(double *most) {
  double start = all[0].start, end = all[0].end;
  for (int n = 1; n < threads; n++) {
    if (all[n].start < start)
      start = all[n].start;
    if (all[n].end > end)
      end = all[n].end;
  }
  double rate = part * sizeof(double) * threads / (end - start) / 1e6;
  if (rate > *most)
    *most = rate;
}

static void *run(void *argument) {
  struct thread *me = argument;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(me->processor, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    exit(1);
  double *mine = a + me->number * part, *other = b + me->number * part;
  for (size_t i = 0; i < part; i++)
    mine[i] = other[i] = 1;
  for (int n = 0; n < RUNS; n++) {
    pthread_barrier_wait(&barrier);
    me->start = seconds();
    me->sum += sum(mine);
    me->end = seconds();
    pthread_barrier_wait(&barrier);
    if (me->number == 0)
      note(&most_read);
    pthread_barrier_wait(&barrier);
    me->start = seconds();
    copy(other, mine);
    __asm__ volatile("" ::: "memory");
    me->end = seconds();
    pthread_barrier_wait(&barrier);
    if (me->number == 0)
      note(&most_copied);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 3 || argc - 2 > MOST)
    return 2;
  threads = argc - 2;
  size_t bytes = (size_t)atoi(argv[1]) << 20;
  part = bytes / sizeof(double) / threads / 8 * 8;
  a = aligned_alloc(2 << 20, bytes);
  b = aligned_alloc(2 << 20, bytes);
  if (!a || !b || pthread_barrier_init(&barrier, NULL, threads) != 0)
    return 1;
  madvise(a, bytes, MADV_HUGEPAGE);
  madvise(b, bytes, MADV_HUGEPAGE);
  double total = 0;
  for (int n = 0; n < threads; n++) {
    all[n].number = n;
    all[n].processor = atoi(argv[n + 2]);
    if (pthread_create(&all[n].id, NULL, run, &all[n]) != 0)
      return 1;
  }
  for (int n = 0; n < threads; n++) {
    pthread_join(all[n].id, NULL);
    total += all[n].sum;
  }
  if (total != (double)part * threads * RUNS)
    return 1;
  printf("%.1f %.1f\n", most_read, most_copied);
  return 0;
}
