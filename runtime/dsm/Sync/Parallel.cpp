//===- Parallel.cpp - All threads of the job run a function -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors/Error.h"
#include "Foreign/Describe.h"
#include "Foreign/Pins.h"
#include "Foreign/Wild.h"
#include "Stache/Stache.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include <csignal>
#include <cstring>
#include <pthread.h>

namespace graupel::dsm {

namespace {

struct {
  void (*Function)(void *) = nullptr;
  void *Argument = nullptr;
  const void *Pc = nullptr; ///< Where gdsm_parallel was called.
  /// Counts calls of gdsm_parallel; workers wait for it to change.
  std::atomic<uint32_t> Calls{0};
  std::atomic<int> Running{0};
  std::atomic<bool> Inside{false};
} Pool;

void *work(void *Number) {
  Node &N = *TheNode;
  takeSignalStack();
  Away Here(N);
  Here.thread().Number = static_cast<int>(reinterpret_cast<intptr_t>(Number));
  for (uint32_t Seen = 0;; ++Seen) {
    // Between calls a worker does not serve: the main thread is there.
    Pool.Calls.wait(Seen, std::memory_order_acquire);
    beginParallel(Here.thread());
    Here.thread().goOnline();
    Pool.Function(Pool.Argument);
    requireNoPins("the end of gdsm_parallel's function");
    Here.thread().goOffline();
    returnFromParallel(Here.thread(), Pool.Pc);
    if (Pool.Running.fetch_sub(1, std::memory_order_acq_rel) == 1)
      N.Dispatch.signal();
    // Also the last one: the main thread may be in a function that blocks.
    N.Dispatch.abandon();
  }
}

} // namespace

bool inParallel() { return Pool.Inside.load(std::memory_order_relaxed); }

void startThread(void *(*Function)(void *), void *Argument) {
  // The program's signals are for its own threads, but for those of faults.
  sigset_t All, Before;
  sigfillset(&All);
  for (int Own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    sigdelset(&All, Own);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_t Thread;
  int Error = pthread_create(&Thread, nullptr, Function, Argument);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  if (Error)
    fail("cannot start a thread (%s); ask for fewer threads per node",
         strerror(Error));
  pthread_detach(Thread);
}

void startPool(Node &N) {
  for (int I = 1; I < N.ThreadsPerNode; ++I)
    startThread(work, reinterpret_cast<void *>(intptr_t(I)));
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void gdsm_parallel(void (*Function)(void *), void *Argument) {
  Node &N = nodeFor("gdsm_parallel");
  if (inParallel() || thisThread(N).Number != 0)
    fail("gdsm_parallel was called %s; only main threads may call it, one call "
         "at a time",
         inParallel() ? "inside of gdsm_parallel" : "by another thread");
  requireNoPins("gdsm_parallel");
  const void *Pc = __builtin_return_address(0);
  requireThreadFunction(Pc, reinterpret_cast<const void *>(Function));
  CollectiveCall Begin(Collective::ParallelBegin, Pc);
  InCollective Here(N, Begin);
  barrierOfNodes(N, Begin);
  {
    Locked Lock(N.Dispatch);
    N.Dispatch.handle(graupel_dsm_stache_parallel_begins);
  }
  Pool.Function = Function;
  Pool.Argument = Argument;
  Pool.Pc = Pc;
  Pool.Inside = true;
  Pool.Running = N.ThreadsPerNode - 1;
  beginParallel(Here.thread());
  Pool.Calls.fetch_add(1, std::memory_order_release);
  Pool.Calls.notify_all();

  Here.thread().goOnline();
  Function(Argument);
  requireNoPins("the end of gdsm_parallel's function");
  Here.thread().goOffline();
  CollectiveCall End(Collective::ParallelEnd, Pc);
  returnFromParallel(Here.thread(), Pc);

  awaitUnlocked(N, false, [] {
    return Pool.Running.load(std::memory_order_acquire) == 0;
  });
  Pool.Inside = false;
  barrierOfNodes(N, End);
  endParallel(Here.thread());
  Locked Lock(N.Dispatch);
  N.Dispatch.handle(graupel_dsm_stache_parallel_ends);
}
