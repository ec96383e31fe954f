//===- LockWords.h - Locks that only threads of their home want -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lock's word (NumberWords.h) is in use while a thread has the lock; its
// value is that thread.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_SYNC_LOCKWORDS_H
#define GRAUPEL_DSM_SYNC_LOCKWORDS_H

#include "Sync/NumberWords.h"

namespace graupel::dsm {

class LockWords : public NumberWords {
public:
  /// False if it is anything but free; nothing has changed then.
  bool take(uint64_t Number, unsigned Owner) {
    uint64_t Free = 0;
    return word(Number).compare_exchange_strong(Free, used(Number, Owner),
                                                std::memory_order_acquire,
                                                std::memory_order_relaxed);
  }

  /// False if Owner has not taken it here, or it is in the queues meanwhile.
  bool release(uint64_t Number, unsigned Owner) {
    uint64_t Held = used(Number, Owner);
    return word(Number).compare_exchange_strong(
        Held, 0, std::memory_order_release, std::memory_order_relaxed);
  }

  /// F(number) for all that Owner, which is the calling thread, has taken.
  template <class F> void forEachHeldBy(unsigned Owner, F Visit) {
    forEachUsed([&](uint64_t Number, uint64_t Value) {
      if (Value == Owner)
        Visit(Number);
    });
  }
};

} // namespace graupel::dsm

#endif
