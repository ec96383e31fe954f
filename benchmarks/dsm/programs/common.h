/*===- common.h - What the programs share -------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Options, partitions, the team of threads that a kernel runs on, and the lines
|* that every program prints. A kernel is written for a team: all threads of the
|* job, or a single one that computes the same in private memory to verify it.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_BENCHMARKS_DSM_COMMON_H
#define GRAUPEL_BENCHMARKS_DSM_COMMON_H

#include "graupel/dsm.h"
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAYBE_UNUSED __attribute__((unused))

static const char *program_name = "";

MAYBE_UNUSED static void fail(const char *what, const char *which) {
  if (gdsm_node() == 0)
    fprintf(stderr, "%s: error: %s%s\n", program_name, what, which);
  exit(1);
}

/* --- Options -------------------------------------------------------------- */

/** A number that a program takes as --name=VALUE, and its value by --size. */
struct option {
  const char *name;
  long *value;
  long small, published;
  long least, most;
};

static int verify_wanted, error_wanted, published_size;
/** Bytes; 0: what `graupel dsm run --block` says; -1: what suits each array. */
static long block_wanted = -1;

static void usage(const struct option *options, int count) {
  if (gdsm_node() == 0) {
    printf("usage: %s [--size=small|published] [--block=BYTES] [--verify] "
           "[--inject-error]",
           program_name);
    for (int i = 0; i < count; ++i)
      printf(" [--%s=N]", options[i].name);
    printf("\n");
  }
  exit(0);
}

static int take_option(const struct option *options, int count,
                       const char *text) {
  for (int i = 0; i < count; ++i) {
    size_t length = strlen(options[i].name);
    if (strncmp(text, options[i].name, length) || text[length] != '=')
      continue;
    char *end;
    long value = strtol(text + length + 1, &end, 10);
    if (end == text + length + 1 || *end || value < options[i].least ||
        value > options[i].most)
      fail("not a number in the permitted range: --", text);
    *options[i].value = value;
    return 1;
  }
  return 0;
}

/** Reads the command line; ends the program if it makes no sense. */
MAYBE_UNUSED static void parse_options(const char *name, int argc, char **argv,
                                       const struct option *options,
                                       int count) {
  static const struct option common[] = {
      {"block", &block_wanted, -1, -1, 0, 4096}};
  program_name = name;
  for (int i = 1; i < argc; ++i)
    if (!strcmp(argv[i], "--size=published"))
      published_size = 1;
  for (int i = 0; i < count; ++i)
    *options[i].value =
        published_size ? options[i].published : options[i].small;
  for (int i = 1; i < argc; ++i) {
    const char *text = argv[i];
    if (!strcmp(text, "--help"))
      usage(options, count);
    else if (!strcmp(text, "--verify"))
      verify_wanted = 1;
    else if (!strcmp(text, "--inject-error"))
      error_wanted = 1;
    else if (strcmp(text, "--size=small") && strcmp(text, "--size=published") &&
             (strncmp(text, "--", 2) ||
              !(take_option(options, count, text + 2) ||
                take_option(common, 1, text + 2))))
      fail("unknown option (see --help): ", text);
  }
}

/* --- Teams ---------------------------------------------------------------- */

struct team {
  int thread, threads;
  int alone; /**< Not the job: nobody else takes part. */
};

MAYBE_UNUSED static struct team whole_team(void) {
  struct team team = {gdsm_thread(), gdsm_threads(), 0};
  return team;
}
MAYBE_UNUSED static struct team lone_team(void) {
  struct team team = {0, 1, 1};
  return team;
}
MAYBE_UNUSED static void team_barrier(struct team team) {
  if (!team.alone)
    gdsm_barrier();
}
MAYBE_UNUSED static double team_max(struct team team, double value) {
  return team.alone ? value : gdsm_reduce_double(value, GDSM_MAX);
}
MAYBE_UNUSED static double team_sum(struct team team, double value) {
  return team.alone ? value : gdsm_reduce_double(value, GDSM_SUM);
}
/** Locks such that number i of `count` is kept by the node that mostly takes
   it. */
MAYBE_UNUSED static gdsm_lock_t make_locks(long count) {
  return gdsm_locks_new((uint64_t)(count + 1) * (uint64_t)gdsm_nodes());
}
MAYBE_UNUSED static gdsm_lock_t lock_at(gdsm_lock_t first, long i, int node) {
  uint64_t nodes = (uint64_t)gdsm_nodes();
  uint64_t base = (first + nodes - 1) / nodes * nodes;
  return base + (uint64_t)i * nodes + (uint64_t)node;
}
MAYBE_UNUSED static void team_lock(struct team team, gdsm_lock_t lock) {
  if (!team.alone)
    gdsm_lock(lock);
}
MAYBE_UNUSED static void team_unlock(struct team team, gdsm_lock_t lock) {
  if (!team.alone)
    gdsm_unlock(lock);
}

/** Where the part of thread (or node, or column) `part` of `parts` begins when
    `count` things are dealt out in contiguous, almost equal portions. */
MAYBE_UNUSED static long part_begin(long count, int part, int parts) {
  return count * part / parts;
}

/** The part that number `thing` falls into. */
MAYBE_UNUSED static int part_of(long count, long thing, int parts) {
  return (int)(((thing + 1) * parts - 1) / count);
}

/** Waits until *flag, which only grows, is at least `value`. */
MAYBE_UNUSED static void wait_for(const int64_t *flag, int64_t value) {
  for (int spins = 0; __atomic_load_n(flag, __ATOMIC_ACQUIRE) < value; ++spins)
    if (spins >= 1000) {
      spins = 0;
      sched_yield(); /* There may be more threads than processors. */
    }
}

/* --- Memory --------------------------------------------------------------- */

enum {
  BLOCK_BYTES = 128, /**< What small data of different threads is kept apart by,
                        and the blocks of such data. */
  BLOCK_DOUBLES = BLOCK_BYTES / sizeof(double),
  ROW_BLOCK_BYTES = 2048, /**< Blocks of grids, of which whole rows are read. */
  BULK_BLOCK_BYTES = 4096 /**< Of what others read as a whole. */
};

/** Zeroed memory of this node alone, aligned as shared memory is. */
MAYBE_UNUSED static void *private_alloc(size_t size) {
  size_t rounded = (size + BULK_BLOCK_BYTES) & ~(size_t)(BULK_BLOCK_BYTES - 1);
  void *memory = aligned_alloc(BULK_BLOCK_BYTES, rounded);
  if (!memory)
    fail("no memory left; use a smaller size", "");
  return memset(memory, 0, rounded);
}

/** The first shared arrays, on the node that made them. */
static void *shared_arrays[8];
static int shared_array_count;

/** Memory for a problem: shared where the whole job solves it, otherwise
   private. `block`: bytes that are mostly used by the same thread at the same
   time; the more, the fewer misses. */
MAYBE_UNUSED static void *problem_alloc(int shared, size_t size, size_t block,
                                        int home) {
  if (!shared)
    return private_alloc(size);
  void *memory = gdsm_alloc(
      size, block_wanted < 0 ? block : (size_t)block_wanted, home);
  if (shared_array_count < 8)
    shared_arrays[shared_array_count++] = memory;
  return memory;
}

/** Doubles from one row of a grid to the next: an odd number of cache lines in
   pairs, so that columns do not fall into few cache sets. Sixteen rows are
   whole blocks of ROW_BLOCK_BYTES: threads that have a multiple of sixteen rows
   share none, if the first row begins with one. */
MAYBE_UNUSED static long row_stride(long columns) {
  long pairs = (columns + BLOCK_DOUBLES - 1) / BLOCK_DOUBLES;
  return (pairs | 1) * BLOCK_DOUBLES;
}

/* --- Numbers -------------------------------------------------------------- */

/** Well mixed bits of a number (splitmix64): who initializes what, and in which
    order, does not matter. */
MAYBE_UNUSED static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
/** In [0, 1), from a number. */
MAYBE_UNUSED static double mix_double(uint64_t x) {
  return (double)(mix(x) >> 11) * 0x1p-53;
}

/** A checksum over the bits of doubles; start with 0. */
MAYBE_UNUSED static uint64_t hash_doubles(uint64_t hash, const double *values,
                                          long count) {
  for (long i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    hash = mix(hash ^ bits);
  }
  return hash;
}

/* --- What is printed ------------------------------------------------------ */

/** What a node has used since some time. */
struct usage {
  double time, processor_time;
  struct gdsm_statistics statistics;
};

static struct usage phase; /**< Of this node. */

MAYBE_UNUSED static struct usage usage_now(void) {
  struct usage now;
  struct timespec cpu;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  now.processor_time = (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec;
  now.time = gdsm_time();
  gdsm_get_statistics(&now.statistics);
  return now;
}

static int counts_usage(struct team team) {
  return !team.alone && team.thread % gdsm_threads_per_node() == 0;
}

/** Around what is to be timed, by all threads of the team. */
MAYBE_UNUSED static void phase_begin(struct team team) {
  team_barrier(team);
  if (counts_usage(team))
    phase = usage_now();
}
MAYBE_UNUSED static void phase_end(struct team team) {
  team_barrier(team);
  if (!counts_usage(team))
    return;
  struct usage end = usage_now();
  phase.time = end.time - phase.time;
  phase.processor_time = end.processor_time - phase.processor_time;
  struct gdsm_statistics *from = &phase.statistics, *to = &end.statistics;
  from->messages = to->messages - from->messages;
  from->data_messages = to->data_messages - from->data_messages;
  from->message_bytes = to->message_bytes - from->message_bytes;
  from->load_faults = to->load_faults - from->load_faults;
  from->store_faults = to->store_faults - from->store_faults;
}

/** Collective over main threads: what all nodes have sent in the phase. */
static void print_messages(void) {
  struct gdsm_statistics *mine = &phase.statistics;
  int64_t messages = gdsm_reduce_int64((int64_t)mine->messages, GDSM_SUM);
  int64_t data = gdsm_reduce_int64((int64_t)mine->data_messages, GDSM_SUM);
  int64_t bytes = gdsm_reduce_int64((int64_t)mine->message_bytes, GDSM_SUM);
  int64_t loads = gdsm_reduce_int64((int64_t)mine->load_faults, GDSM_SUM);
  int64_t stores = gdsm_reduce_int64((int64_t)mine->store_faults, GDSM_SUM);
  if (gdsm_node() == 0)
    printf("messages: control %lld data %lld bytes %lld load-faults %lld "
           "store-faults %lld\n",
           (long long)(messages - data), (long long)data, (long long)bytes,
           (long long)loads, (long long)stores);
}

/** Compares with the reference, counts what differs by more than `tolerance`
    relative to `scale` (0: every bit counts), and says where the first is. */
MAYBE_UNUSED static long count_differences(const char *what, const double *got,
                                           const double *expected, long count,
                                           double tolerance, double scale) {
  long wrong = 0;
  for (long i = 0; i < count; ++i) {
    int same = tolerance == 0 ? !memcmp(&got[i], &expected[i], sizeof(double))
                              : fabs(got[i] - expected[i]) <= tolerance * scale;
    if (!same && wrong++ == 0)
      printf("verify: %s[%ld] is %.17g instead of %.17g\n", what, i, got[i],
             expected[i]);
  }
  return wrong;
}

/** Collective over main threads: the blocks of a page, as faults tell. The last
    node writes each granule (what is there already), then node 0 reads each. */
static long measure_block(char *page) {
  enum { PageBytes = 4096, GranuleBytes = 32 };
  struct gdsm_statistics before, after;
  if (gdsm_node() == gdsm_nodes() - 1)
    for (long i = 0; i < PageBytes; i += GranuleBytes) {
      volatile char *p = page + i;
      *p = *p;
    }
  gdsm_barrier();
  long misses = 0; /* An access may take several faults. */
  for (long i = 0; gdsm_node() == 0 && i < PageBytes; i += GranuleBytes) {
    gdsm_get_statistics(&before);
    (void)*(volatile char *)(page + i);
    gdsm_get_statistics(&after);
    misses += after.load_faults != before.load_faults;
  }
  gdsm_barrier();
  return misses ? PageBytes / misses : 0;
}

/** Collective over main threads: what the program ran with, by what it finds
    out for itself, and not by what it was told. */
static void print_configuration(void) {
  long least = 0, most = 0, arrays = 0;
  for (int i = 0; gdsm_nodes() > 1 && i < 8; ++i) {
    /* What is beside a small array has the same kind of blocks. */
    uintptr_t page = (uintptr_t)shared_arrays[i] & ~(uintptr_t)4095;
    gdsm_broadcast(&page, sizeof page, 0);
    long block = page ? measure_block((char *)page) : 0;
    if (!page)
      continue;
    least = arrays == 0 || block < least ? block : least;
    most = block > most ? block : most;
    ++arrays;
  }
  if (gdsm_node() == 0)
    printf("configuration: nodes %d threads %d blocks %ld to %ld in %ld arrays\n",
           gdsm_nodes(), gdsm_threads_per_node(), least, most, arrays);
}

/** The end of main: on node 0 prints times and the verdict. All nodes exit
    with the same status. */
MAYBE_UNUSED static int finish(long wrong) {
  gdsm_broadcast(&wrong, sizeof wrong, 0);
  if (gdsm_nodes() > 1)
    print_messages();
  if (block_wanted >= 0)
    print_configuration();
  if (gdsm_node() == 0) {
    printf("time: %.6f\n", phase.time);
    printf("processor time: %.6f\n", phase.processor_time);
    if (verify_wanted && wrong)
      printf("verify: error: %ld values are wrong\n", wrong);
    else if (verify_wanted)
      printf("verify: ok\n");
  }
  return wrong ? 1 : 0;
}

#endif
