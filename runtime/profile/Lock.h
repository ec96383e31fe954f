//===- profile/Lock.h - Mutual exclusion of threads -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_LOCK_H
#define GRAUPEL_PROFILE_LOCK_H

#include "Syscall.h"

namespace graupel {

/// A futex; all zero is free.
class Lock {
public:
  void take() {
    uint32_t Expected = Free;
    if (__atomic_compare_exchange_n(&Word, &Expected, Taken, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    while (__atomic_exchange_n(&Word, Awaited, __ATOMIC_ACQUIRE) != Free)
      sys::call(__NR_futex, sys::word(&Word), FUTEX_WAIT_PRIVATE, Awaited);
  }
  void release() {
    if (__atomic_exchange_n(&Word, Free, __ATOMIC_RELEASE) == Awaited)
      sys::call(__NR_futex, sys::word(&Word), FUTEX_WAKE_PRIVATE, 1);
  }
  /// In the child of a fork, where the thread that held it does not exist.
  void forget() { Word = Free; }

private:
  enum : uint32_t { Free, Taken, Awaited };
  uint32_t Word;
};

} // namespace graupel

#endif // GRAUPEL_PROFILE_LOCK_H
