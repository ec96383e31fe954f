// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that count under a lock and meet, again and again, and do nothing else:
// with loops of their own on shared flags, or with the library. Prints the seconds
// that they took.
// usage: contention ROUNDS [library]
#include "graupel/dsm.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct Shared {
  struct {
    _Alignas(128) atomic_int Came;
  } Thread[64];
  _Alignas(128) atomic_int Gone;
  _Alignas(128) atomic_int Lock;
  _Alignas(128) long Count;
};

static struct Shared *S;
static gdsm_lock_t Lock;
static int Rounds, Library;

static void meet(int Round) {
  if (Library) {
    gdsm_barrier();
    return;
  }
  S->Thread[gdsm_thread()].Came = Round;
  if (gdsm_thread() == 0) {
    for (int I = 0; I != gdsm_threads(); ++I)
      while (S->Thread[I].Came < Round)
        ;
    S->Gone = Round;
  }
  while (S->Gone < Round)
    __builtin_ia32_pause();
}

static void count(void) {
  if (Library) {
    gdsm_lock(Lock);
    ++S->Count;
    gdsm_unlock(Lock);
    return;
  }
  while (atomic_exchange(&S->Lock, 1))
    ;
  ++S->Count;
  S->Lock = 0;
}

static void work(void *Unused) {
  (void)Unused;
  for (int Round = 1; Round <= Rounds; ++Round) {
    count();
    meet(2 * Round - 1);
    if (S->Count != (long)Round * gdsm_threads()) {
      printf("round %d: %ld\n", Round, S->Count);
      exit(1);
    }
    meet(2 * Round);
  }
}

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return (double)T.tv_sec + 1e-9 * (double)T.tv_nsec;
}

int main(int Count, char **Arguments) {
  Rounds = Count > 1 ? atoi(Arguments[1]) : 10;
  Library = Count > 2;
  if (gdsm_node() == 0) {
    S = gdsm_malloc(sizeof(*S));
    Lock = gdsm_locks_new(1);
  }
  gdsm_broadcast(&S, sizeof(S), 0);
  gdsm_broadcast(&Lock, sizeof(Lock), 0);
  double Start = now();
  gdsm_parallel(work, NULL);
  if (gdsm_node() == 0)
    printf("all right on %d threads\ntime: %.6f\n", gdsm_threads(),
           now() - Start);
  return 0;
}
