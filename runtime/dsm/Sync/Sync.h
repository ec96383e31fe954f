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

/// Sends a message on in a binomial tree of all nodes, to those below this one:
/// ranks count from the root, and the children of a rank are rank + 2^k for all
/// 2^k below its lowest set bit.
void passDown(Node &, Message, int Root);

/// Calls that all nodes make, in the same order.
enum class Collective : uint32_t {
  Barrier,
  ParallelBegin,
  ParallelEnd,
  ReduceDouble,
  ReduceInt64,
  ReduceArray,
  Broadcast
};

/// The parameters of gdsm_reduce that have to agree: CollectiveCall::Detail.
struct ReducedArray {
  static constexpr uint32_t MaxCount = (1 << 26) - 1;
  static uint32_t pack(size_t Count, unsigned Type, unsigned Operation) {
    return static_cast<uint32_t>(Count) << 6 | Type << 2 | Operation;
  }
  explicit ReducedArray(uint32_t Detail)
      : Count(Detail >> 6), Type(Detail >> 2 & 15), Operation(Detail & 3) {}
  uint32_t Count, Type, Operation;
};

constexpr int EveryNode = -1;

/// A collective call of the program, and its place.
struct CollectiveCall {
  Collective Kind = Collective::Barrier;
  /// The operation, the root or the array, which have to agree.
  uint32_t Detail = 0;
  uintptr_t Pc = 0;

  CollectiveCall() = default;
  CollectiveCall(Collective Kind, const void *Pc, uint32_t Detail = 0)
      : Kind(Kind), Detail(Detail), Pc(reinterpret_cast<uintptr_t>(Pc)) {}
  /// As messages carry it.
  CollectiveCall(uint64_t Word, uint64_t Pc)
      : Kind(Collective(Word >> 32)), Detail(uint32_t(Word)), Pc(Pc) {}
  uint64_t word() const { return uint64_t(Kind) << 32 | Detail; }
  const char *name() const;
};

/// Where a call stands among others of this node.
struct CollectiveNumber {
  uint64_t OfKind; ///< Among those that wait in the same way, from 1.
  uint64_t OfAll;  ///< Among all, from 1.
};

/// This node is about to wait in a call until node `Needed` has made the same
/// one. The job ends if that node ends without it, or has made another call in
/// its place. Under the protocol lock.
CollectiveNumber beginCollective(Node &, const CollectiveCall &,
                                 int Needed = EveryNode);

/// Another node has made this call as its Number-th: the job ends if this one
/// has made, or makes, another. Under the protocol lock.
void compareCollective(int Source, uint64_t Number, const CollectiveCall &);

/// Waits until a thread of every node has called this; the caller is away. One
/// thread of a node at a time.
void barrierOfNodes(Node &, const CollectiveCall &);

/// The calling thread is in a collective call for as long as this exists: away,
/// and known to wait for all threads.
class InCollective : public Away {
public:
  InCollective(Node &, const CollectiveCall &);
};

/// A thread begins with the function of gdsm_parallel, which was called at Pc,
/// has returned from it, or is the main thread behind gdsm_parallel.
void beginParallel(ThreadRecord &);
void returnFromParallel(ThreadRecord &, const void *Pc);
void endParallel(ThreadRecord &);

void registerDeadlockHandlers(Node &);
void registerSemaphoreHandlers(Node &);
void registerConditionHandlers(Node &);
void registerStandstillHandlers(Node &);

/// Node `Ended` has ended: its threads wait no more. Under the protocol lock.
void forgetSemaphoreWaiters(int Ended);
void forgetConditionWaiters(int Ended);

/// Messages of this node that only look for deadlocks: nobody waits for them,
/// and they change nothing. Under the protocol lock.
struct LookMessages {
  uint64_t Sent = 0, Handled = 0;
};
extern LookMessages Looks;

/// A thread of this node has waited for a semaphore or a condition variable for
/// a while: looks whether any thread of the job can still go on
/// (Standstill.cpp). Under the protocol lock.
void lookForStandstill(Node &);

/// A thread of this node has waited for a lock for a while: looks whether it
/// ever can get it (Deadlock.cpp). Under the protocol lock.
void lookForDeadlock(Node &, const ThreadRecord &);

/// The owner of a lock: at its home the node, there the thread. Under the
/// protocol lock; -1 and null if nobody has it.
int lockHolder(uint64_t Number);
ThreadRecord *lockOwner(uint64_t Number);

/// For those who have a lock as a part of something else. The caller is away
/// and has the protocol lock, which takeLock gives back.
bool hasLock(const Node &, uint64_t Number, const ThreadRecord &);
void takeLock(Node &, uint64_t Number, ThreadRecord &);
void releaseLock(Node &, uint64_t Number);

/// The calling thread ends: what it has locked stays so, which ends the job if
/// another thread wants it. Under the protocol lock.
void abandonLocks(Node &);

/// A place where all threads of this node that take part meet: T of them inside
/// of gdsm_parallel, else one. The last to arrive runs Body while the others
/// wait (and serve); then all go on. The caller is away.
template <class F> void meet(Node &N, const CollectiveCall &, F Body);

/// Joins the meeting that follows `Round` others. The job ends if this thread
/// meets others in another call, or one that will not come any more. True for
/// the last to arrive.
bool arrive(const CollectiveCall &, int Members, uint64_t Round);

/// The last to leave a node: waits, serving, until all nodes end. `Status`: the
/// program's; -1 if it is not known.
void endTogether(Node &, int Status);

struct Meeting {
  /// Number of threads that have arrived (16 bits), and above that the call
  /// that they are in, plus 1.
  std::atomic<uint64_t> Arrived{0};
  std::atomic<uint64_t> Round{0};
  /// The thread that waits for other nodes meanwhile, if any.
  std::atomic<const ThreadRecord *> Outside{nullptr};
  /// Where the first of them came from.
  std::atomic<uintptr_t> FirstPc{0};
  /// Threads that have returned from the function of gdsm_parallel.
  std::atomic<int> Returned{0};
};
extern Meeting TheMeeting;

template <class F> void meet(Node &N, const CollectiveCall &Call, F Body) {
  uint64_t Round = TheMeeting.Round.load(std::memory_order_acquire);
  int Members = inParallel() ? N.ThreadsPerNode : 1;
  if (!arrive(Call, Members, Round)) {
    awaitUnlocked(N, false, [Round] {
      return TheMeeting.Round.load(std::memory_order_acquire) != Round;
    });
    return;
  }
  TheMeeting.Outside = self();
  Body();
  TheMeeting.Outside = nullptr;
  TheMeeting.Arrived.store(0, std::memory_order_relaxed);
  TheMeeting.Round.store(Round + 1, std::memory_order_release);
  if (Members > 1)
    N.Dispatch.signal();
}

} // namespace graupel::dsm

#endif
