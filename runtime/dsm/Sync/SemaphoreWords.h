//===- SemaphoreWords.h - Semaphores that nobody waits for ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A semaphore's word (NumberWords.h) is in use while the semaphore is above
// zero and only its home has to do with it; its value is the semaphore's.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_SYNC_SEMAPHOREWORDS_H
#define GRAUPEL_DSM_SYNC_SEMAPHOREWORDS_H

#include "Sync/NumberWords.h"

namespace graupel::dsm {

class SemaphoreWords : public NumberWords {
public:
  /// Takes one away. False if it is zero, or in the queues.
  bool take(uint64_t Number) {
    std::atomic<uint64_t> &W = word(Number);
    uint64_t Now = W.load(std::memory_order_relaxed);
    while (isOf(Now, Number)) {
      uint64_t Value = valueOf(Now);
      if (W.compare_exchange_weak(Now, Value == 1 ? 0 : used(Number, Value - 1),
                                  std::memory_order_acquire,
                                  std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  /// Adds. False if it is in the queues, shares its word with another one that
  /// is in use, or does not fit; nothing has changed then.
  bool post(uint64_t Number, uint64_t Count) {
    std::atomic<uint64_t> &W = word(Number);
    uint64_t Now = W.load(std::memory_order_relaxed);
    while (Now == 0 || isOf(Now, Number)) {
      uint64_t Value = Now ? valueOf(Now) : 0;
      if (Count > MaxValue - Value)
        return false;
      if (W.compare_exchange_weak(Now, used(Number, Value + Count),
                                  std::memory_order_acq_rel,
                                  std::memory_order_relaxed))
        return true;
    }
    return false;
  }
};

} // namespace graupel::dsm

#endif
