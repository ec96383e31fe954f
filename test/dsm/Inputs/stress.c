// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Threads of all nodes fight for a few blocks in all the ways that checked code
   has; no update may be lost, no value may run backwards, and what was acquired
   together must be valid together. Arguments: iterations, seed, block size. */
#include "checked.h"

enum { MaxThreads = 256, Pairs = 3 };
struct shared {
  int64_t slots[MaxThreads];     /* Each written by its thread only. */
  int64_t counters[16];          /* Added to by all, with locked instructions. */
  int64_t left[Pairs][512];      /* [0] of each row ... */
  int64_t right[Pairs][512];     /* ... in pages of their own. */
};
static struct shared *s;
static long iterations;
static unsigned seed;

static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void locked_add(int64_t *p, int64_t v) {
  before_store(p, sizeof *p);
  __asm__ volatile("lock addq %1, %0" : "+m"(*p) : "r"(v) : "memory");
}

/* Both words are valid from here to the next entry. */
static void acquire_pair(int64_t *a, int64_t *b, int first_polls) {
  struct described_pair {
    uint32_t count;
    struct graupel_dsm_described ranges[2];
  };
  static const struct described_pair pair = {
      2, {{sizeof *a << 1 | 1, 0, 0}, {sizeof *b << 1 | 1, 0, 0}}};
  const uint64_t words[2] = {(uintptr_t)a, (uintptr_t)b};
  const struct graupel_dsm_set *set = (const struct graupel_dsm_set *)&pair;
  if (first_polls)
    graupel_dsm_poll_acquire_set(words, set);
  else
    graupel_dsm_acquire_set(words, set);
}

static void work(void *unused) {
  (void)unused;
  int me = gdsm_thread(), all = gdsm_threads();
  int alone = gdsm_threads_per_node() == 1;
  unsigned state = seed * 7919u + (unsigned)me * 104729u + 1;
  int64_t seen[MaxThreads] = {0}, mine = 0, added = 0, paired = 0;
  for (long i = 0; i < iterations; ++i) {
    unsigned r = next(&state);
    switch (r % 5) {
    case 0:
      CHECK(LOAD(&s->slots[me]) == mine);
      STORE(&s->slots[me], ++mine);
      break;
    case 1: {
      int other = (int)(next(&state) % (unsigned)all);
      int64_t v = r & 64 ? LOAD(&s->slots[other])
                         : LOAD_SENTINEL(&s->slots[other]);
      CHECK(v >= seen[other]);
      seen[other] = v;
      break;
    }
    case 2:
      locked_add(&s->counters[next(&state) % 16], 1);
      ++added;
      break;
    case 3: {
      unsigned p = next(&state) % Pairs;
      int64_t *a = s->left[p], *b = s->right[p];
      if (r & 128)
        acquire_pair(a, b, r & 256);
      else
        acquire_pair(b, a, r & 256);
      CHECK(!alone || *(volatile int64_t *)a == *(volatile int64_t *)b);
      __asm__ volatile("lock incq %0" : "+m"(*a) : : "memory");
      __asm__ volatile("lock incq %0" : "+m"(*b) : : "memory");
      ++paired;
      break;
    }
    default:
      check_poll();
    }
    if (r % 7 == 0)
      check_poll();
  }
  int64_t total_added = gdsm_reduce_int64(added, GDSM_SUM);
  int64_t total_paired = gdsm_reduce_int64(paired, GDSM_SUM);
  int64_t sum = 0, lefts = 0, rights = 0;
  for (int i = 0; i < 16; ++i)
    sum += LOAD(&s->counters[i]);
  for (int i = 0; i < Pairs; ++i) {
    lefts += LOAD(&s->left[i][0]);
    rights += LOAD(&s->right[i][0]);
  }
  CHECK(LOAD(&s->slots[me]) == mine);
  CHECK(sum == total_added);
  CHECK(lefts == total_paired && rights == total_paired);
}

int main(int argc, char **argv) {
  iterations = argc > 1 ? atol(argv[1]) : 2000;
  seed = argc > 2 ? (unsigned)atol(argv[2]) : 1;
  size_t block = argc > 3 ? (size_t)atol(argv[3]) : 0;
  if (gdsm_node() == 0)
    s = (struct shared *)gdsm_alloc(sizeof *s, block, GDSM_HOME_ROUND_ROBIN);
  gdsm_broadcast(&s, sizeof s, 0);
  gdsm_parallel(work, NULL);
  struct gdsm_statistics st;
  gdsm_get_statistics(&st);
  if (gdsm_node() == 0)
    printf("all right: %d threads, %ld iterations; node 0: %llu polls, %llu faults, "
           "%llu handshakes, %llu messages, %llu overflows\n",
           gdsm_threads(), iterations, (unsigned long long)st.polls,
           (unsigned long long)(st.load_faults + st.store_faults),
           (unsigned long long)st.handshakes, (unsigned long long)st.messages,
           (unsigned long long)st.overflows);
  return 0;
}
