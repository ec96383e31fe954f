// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// H-11: longjmp, exceptions and threads that end leave code that had acquired
// blocks. Nothing may stay held, and no thread may be waited for that is gone.
// Breaks if entries left a thread holding when they return (Faults::hold), or if the
// end of a cancelled thread turned its state around (Start.cpp, endThread): a node
// would wait for it for ever.
//
// RUN: %dsm-cxx %s -o %t
// RUN: %dsm-run -n 2 --threads-per-node=2 %t
#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <csetjmp>
#include <pthread.h>
#include <unistd.h>

namespace {

constexpr int Words = 64, Rounds = 300;
int64_t *Data;
thread_local jmp_buf Back;

void addToSet(int I) {
  int64_t *A = &Data[I % Words * 16], *B = &Data[(I * 7 + 3) % Words * 16];
  graupel_dsm_range Set[] = {{A, 8 << 1 | 1}, {B, 8 << 1 | 1}};
  graupel_dsm_poll_acquire(Set, 2);
  __atomic_fetch_add(A, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(B, 1, __ATOMIC_RELAXED);
  if (I % 3 == 0)
    throw I;
  if (I % 3 == 1)
    longjmp(Back, 1);
}

void work(void *) {
  for (volatile int I = 0; I < Rounds; I = I + 1) {
    try {
      if (!setjmp(Back))
        addToSet(I);
    } catch (int Thrown) {
      CHECK(Thrown == I);
    }
    check_poll();
  }
}

void *readsForEver(void *Pipe) {
  ADD(&Data[0], 1);
  // Away while it is cancelled.
  graupel_dsm_read(*static_cast<int *>(Pipe), Data, 8);
  return nullptr;
}

void *exits(void *) {
  ADD(&Data[0], 1);
  pthread_exit(nullptr);
}

void joins(void *Thread) { pthread_join(*static_cast<pthread_t *>(Thread), nullptr); }

void cancelled() {
  int Pipe[2];
  CHECK(pipe(Pipe) == 0);
  for (int I = 0; I != 10; ++I) {
    pthread_t T;
    CHECK(pthread_create(&T, nullptr, I % 2 ? exits : readsForEver, Pipe) == 0);
    if (I % 2 == 0) {
      usleep(20000);
      pthread_cancel(T);
    }
    gdsm_blocking(joins, &T);
  }
}

} // namespace

int main() {
  if (gdsm_node() == 0)
    Data = static_cast<int64_t *>(gdsm_alloc(Words * 128, 128, 0));
  gdsm_broadcast(&Data, sizeof(Data), 0);
  cancelled();
  gdsm_barrier();
  CHECK(LOAD(&Data[0]) == 10 * gdsm_nodes());
  gdsm_parallel(work, nullptr);
  int64_t Sum = 0;
  for (int I = 0; I != Words; ++I)
    Sum += LOAD(&Data[I * 16]);
  CHECK(Sum == 10 * gdsm_nodes() + int64_t(2) * Rounds * gdsm_threads());
  return 0;
}
