//===- Sync.h - Threads that wait for each other ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gdsm_parallel, barriers, reductions, broadcasts, locks, counters: all that
// programs synchronize with, over messages of the runtime's own (Schoinas 1998,
// A.4.2 and 5.5). Every wait lets the protocol work. Each part registers its
// handlers once, when the node starts.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_SYNC_SYNC_H
#define GRAUPEL_DSM_SYNC_SYNC_H

#include "Node/Node.h"

namespace graupel::dsm {

void registerBarrierHandlers(Node &);
void registerLockHandlers(Node &);
void registerCounterHandlers(Node &);
void registerReduceHandlers(Node &);
void registerBroadcastHandlers(Node &);

/// Starts a thread of the runtime's own, which gets none of the program's signals.
void startThread(void *(*Function)(void *), void *Argument);

/// Starts the threads that gdsm_parallel needs besides the main thread.
void startPool(Node &);

/// Inside of gdsm_parallel?
bool inParallel();

/// Waits until a thread of every node has called this; the caller is away. One
/// thread of a node at a time.
void barrierOfNodes(Node &);

/// A place where all threads of this node that take part meet: T of them inside
/// of gdsm_parallel, else one. The last to arrive runs Body while the others
/// wait (and serve); then all go on. The caller is away. `Self`: this thread's
/// number.
template <class F> void meet(Node &N, F Body);

/// The last to leave a node: waits, serving, until all nodes end.
void endTogether(Node &);

struct Meeting {
  std::atomic<int> Arrived{0};
  std::atomic<uint64_t> Round{0};
};
extern Meeting TheMeeting;

template <class F> void meet(Node &N, F Body) {
  uint64_t Round = TheMeeting.Round.load(std::memory_order_acquire);
  int Members = inParallel() ? N.ThreadsPerNode : 1;
  if (TheMeeting.Arrived.fetch_add(1, std::memory_order_acq_rel) + 1 <
      Members) {
    awaitUnlocked(N, false, [Round] {
      return TheMeeting.Round.load(std::memory_order_acquire) != Round;
    });
    return;
  }
  Body();
  TheMeeting.Arrived.store(0, std::memory_order_relaxed);
  TheMeeting.Round.store(Round + 1, std::memory_order_release);
  if (Members > 1)
    N.Dispatch.signal();
}

} // namespace graupel::dsm

#endif
