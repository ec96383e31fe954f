//===- Threads.cpp - The threads of a node, and handshakes with them ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node/Threads.h"
#include "Base/Futex.h"
#include "Errors/Error.h"
#include <immintrin.h>
#include <unistd.h>

namespace graupel::dsm {

__thread ThreadLook *SelfLook = nullptr;

namespace {
/// Sleepers look again that often, whatever happens.
constexpr unsigned HandshakeMicroseconds = 10'000;
} // namespace

void refuseCall(const char *Function) {
  fail("%s in gdsm_blocking or in a signal handler, where a thread must not "
       "wait for shared memory; call it before or afterwards",
       Function);
}

ThreadRecord *Threads::join() {
  unsigned Count = Used.load(std::memory_order_relaxed), I = 0;
  while (I != Count && Records[I].Taken)
    ++I;
  if (I == MaxThreads)
    fail("more than %u threads of a node use shared memory; end some of them",
         MaxThreads);
  ThreadRecord &R = Records[I];
  R.Taken = true;
  R.Tid = gettid();
  R.Note.clear();
  R.Number = -1;
  R.Handlers = 0;
  R.PinCount = 0;
  R.BlockedAt = nullptr;
  R.Acquires = false;
  if (I == Count) {
    R.Index = I; // The watcher reads that of records in use.
    Used.store(Count + 1, std::memory_order_release);
  }
  R.goOnline();
  SelfLook = &R;
  return &R;
}

void Threads::leave(ThreadRecord *R) {
  R->Taken = false;
  SelfLook = nullptr;
}

void Threads::handshake() {
  unsigned Count = Used.load(std::memory_order_relaxed);
  // Alone, and the dispatching thread itself: nobody to wait for. Others join
  // under the lock that the caller has.
  if (Count <= 1 && self() == &Records[0])
    return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  bool Any = false;
  uint64_t Seen[MaxThreads];
  for (unsigned I = 0; I != Count; ++I) {
    Seen[I] = Records[I].state();
    Any |= Seen[I] & 1;
  }
  if (!Any)
    return;
  ++Handshakes;
  Control->Poll.store(1, std::memory_order_release);
  for (unsigned I = 0; I != Count; ++I)
    if (Seen[I] & 1)
      wait(Records[I], Seen[I]);
  __atomic_store_n(&TheHandshakeBell.Sleeps, 0, __ATOMIC_RELAXED);
}

/// A thread that has lost its processor does not poll, so this one gives its
/// own away: it sleeps, for who only gives way is as much in the way as before.
void Threads::wait(ThreadRecord &R, uint64_t Seen) const {
  for (unsigned Spins = Others->spins(); Spins && R.state() == Seen; --Spins)
    _mm_pause();
  while (R.state() == Seen) {
    // The thread changes its word and then looks whether to wake; both sides
    // have a full barrier between.
    __atomic_exchange_n(&TheHandshakeBell.Sleeps, 1, __ATOMIC_SEQ_CST);
    if (R.state() == Seen)
      futexWait(TheHandshakeBell.Sleeps, 1, HandshakeMicroseconds);
  }
}

bool Threads::anyOnline() const {
  unsigned Count = Used.load(std::memory_order_acquire);
  for (unsigned I = 0; I != Count; ++I)
    if (Records[I].state() & 1)
      return true;
  return false;
}

} // namespace graupel::dsm
