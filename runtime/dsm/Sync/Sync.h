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
void registerCollectiveHandlers(Node &);

/// Starts a thread of the runtime's own, which gets none of the program's
/// signals.
void startThread(void *(*Function)(void *), void *Argument);

/// Starts the threads that gdsm_parallel needs besides the main thread.
void startPool(Node &);

/// Inside of gdsm_parallel?
bool inParallel();

/// Calls that all nodes make, each kind in the same order.
enum class Collective : unsigned { Barrier, Reduction, Broadcast };
constexpr int EveryNode = -1;

/// This node is about to wait in `Caller` until node `Needed` has made the same
/// call; returns its number among those of the kind, from 1. The job ends if
/// that node ends without it. Under the protocol lock.
uint64_t beginCollective(Node &, Collective, const char *Caller,
                         int Needed = EveryNode);

/// Waits until a thread of every node has called this; the caller is away. One
/// thread of a node at a time.
void barrierOfNodes(Node &, const char *Caller);

/// The calling thread ends: what it has locked stays so, which ends the job if
/// another thread wants it. Under the protocol lock.
void abandonLocks(Node &);

/// A place where all threads of this node that take part meet: T of them inside
/// of gdsm_parallel, else one. The last to arrive runs Body while the others
/// wait (and serve); then all go on. The caller is away. `Self`: this thread's
/// number.
template <class F> void meet(Node &N, F Body);

/// The last to leave a node: waits, serving, until all nodes end. `Status`: the
/// program's; -1 if it is not known.
void endTogether(Node &, int Status);

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
