//===- ThreadLook.h - The part of a thread's record for entries -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from ThreadRecord because the entries' first look is compiled without
// vector registers, which the standard library's headers do not bear.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_THREADLOOK_H
#define GRAUPEL_DSM_BASE_THREADLOOK_H

#include "Sample.h"
#include <stdint.h>

namespace graupel::dsm {

/// Not 0: a handshake sleeps on this until threads have passed theirs.
struct HandshakeBell {
  uint32_t Sleeps = 0;

  /// By a thread that has just passed one, with a full barrier.
  void ring() {
    if (__atomic_load_n(&Sleeps, __ATOMIC_RELAXED)) [[unlikely]]
      wake();
  }
  void wake();
};
extern HandshakeBell TheHandshakeBell __attribute__((visibility("hidden")));

struct ThreadLook {
  /// Odd: online (Node/Threads.h).
  uint64_t State = 0;
  /// Written by the thread, read by gdsm_get_statistics.
  uint64_t LoadFaults = 0, StoreFaults = 0, FalseMatches = 0, Polls = 0;
  /// Signal handlers that the thread is in and that interrupted code which
  /// relies on tags, or the runtime (Node/Signals.h): no handshake point until
  /// they end.
  uint64_t Handlers = 0;
  /// Ranges that the thread holds for code without checks (Foreign/Pins.h).
  uint64_t PinCount = 0;

  uint64_t state() const { return __atomic_load_n(&State, __ATOMIC_ACQUIRE); }
  void goOffline() {
    __atomic_fetch_add(&State, 1, __ATOMIC_SEQ_CST);
    TheHandshakeBell.ring();
    trace::handshakePoint();
  }
  void goOnline() { __atomic_fetch_add(&State, 1, __ATOMIC_SEQ_CST); }
  /// Passes a handshake point without waiting.
  void acknowledge() {
    __atomic_fetch_add(&State, 2, __ATOMIC_SEQ_CST);
    TheHandshakeBell.ring();
    trace::handshakePoint();
  }

  /// Counts an event of the thread itself.
  static void count(uint64_t &Counter) {
    __atomic_store_n(&Counter, Counter + 1, __ATOMIC_RELAXED);
  }
};

/// This thread's; null until it has called the runtime.
extern __thread ThreadLook *SelfLook
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

} // namespace graupel::dsm

#endif
