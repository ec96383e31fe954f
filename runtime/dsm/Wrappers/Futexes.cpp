//===- Futexes.cpp - Waiting for what other nodes store ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++20's waits (std::atomic::wait, latches, semaphores) are calls of
// syscall(SYS_futex, ...). The kernel compares this node's copy of the word,
// and wakes threads of this node. So, in jobs of several nodes:
//
//  1. A wait for a shared word looks at the word at intervals, as checked code
//     does. Between two looks it sleeps in the kernel, where threads of the own
//     node wake it. While the node's copy is valid, a look sends no message.
//  2. A wait for a private word ends soon without a cause, which futex(2)
//     permits and callers are made for: C++ libraries wait for types that are
//     no 32-bit integers by a private word that changes in the process that
//     stores.
//
// Wakes go to the kernel, which does not read the word.
//
//===----------------------------------------------------------------------===//

#include "Base/Crowd.h"
#include "Base/Futex.h"
#include "Base/Lines.h"
#include "Entries/Private.h"
#include "Errors/Error.h"
#include "Node/Node.h"
#include "Transport/Fatal.h"
#include <cerrno>
#include <cstdarg>
#include <unistd.h>

using namespace graupel::dsm;

namespace {

constexpr int64_t NanosecondsPerSecond = 1'000'000'000;
constexpr int64_t FirstInterval = 20'000, LastInterval = 1'000'000;
constexpr int64_t Never = INT64_MAX;

/// The arguments of futex(2), by the manual's names.
struct FutexCall {
  uint32_t *Word;
  int Operation;
  uint32_t Value;
  const timespec *Timeout;
  long Word2, Value3;

  int command() const { return Operation & FUTEX_CMD_MASK; }
  int isPrivate() const { return Operation & FUTEX_PRIVATE_FLAG; }
  bool isWait() const {
    return command() == FUTEX_WAIT || command() == FUTEX_WAIT_BITSET;
  }
  bool isWake() const {
    return command() == FUTEX_WAKE || command() == FUTEX_WAKE_BITSET;
  }
  clockid_t clock() const {
    return Operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  }
  int64_t now() const { return int64_t(nanosecondsOf(clock())); }
  /// When the wait ends; FUTEX_WAIT counts from now.
  int64_t deadline() const {
    if (!Timeout)
      return Never;
    const timespec T = *Object(Timeout).get();
    int64_t End;
    if (__builtin_mul_overflow(int64_t(T.tv_sec), NanosecondsPerSecond, &End) ||
        __builtin_add_overflow(End, int64_t(T.tv_nsec), &End) ||
        (command() == FUTEX_WAIT && __builtin_add_overflow(End, now(), &End)))
      return Never;
    return End;
  }
};

/// Sleeps for the interval if the word has its value; returns futex(2)'s error.
int sleepFor(const FutexCall &C, int64_t Nanoseconds) {
  const timespec Limit = {Nanoseconds / NanosecondsPerSecond,
                          Nanoseconds % NanosecondsPerSecond};
  const long Result =
      futex(*C.Word, FUTEX_WAIT | C.isPrivate(), C.Value, &Limit);
  return Result < 0 ? int(-Result) : 0;
}

bool hasValue(const FutexCall &C) {
  const Unblocked Here;
  return *Object<const uint32_t>(C.Word).get() == C.Value;
}

/// Until a look finds another value, or a thread of this node wakes; returns 0
/// or futex(2)'s error.
int waitForShared(const FutexCall &C, int64_t Deadline) {
  for (int64_t Interval = FirstInterval;;
       Interval = std::min(2 * Interval, LastInterval)) {
    if (!hasValue(C))
      return Interval == FirstInterval ? EAGAIN : 0;
    const int64_t Left = Deadline - C.now();
    if (Left <= 0)
      return ETIMEDOUT;
    const int Error = sleepFor(C, std::min(Interval, Left));
    // The kernel may see a word that has just been taken away.
    if (Error != ETIMEDOUT && Error != EAGAIN)
      return Error;
  }
}

/// For an interval at most; returns the same.
int waitForPrivate(const FutexCall &C, int64_t Deadline) {
  const int64_t Left = Deadline - C.now();
  if (Left <= 0)
    return ETIMEDOUT;
  const int Error = sleepFor(C, std::min(LastInterval, Left));
  return Error == ETIMEDOUT && Left > LastInterval ? 0 : Error;
}

int wait(const FutexCall &C, const void *Pc) {
  const int64_t Deadline = C.deadline();
  const Blocking Here("futex", Pc);
  return isShared(C.Word) ? waitForShared(C, Deadline)
                          : waitForPrivate(C, Deadline);
}

} // namespace

/// The passes call this instead of syscall() if its first argument is
/// SYS_futex.
extern "C" long graupel_dsm_futex(long Number, ...) {
  va_list L;
  va_start(L, Number);
  FutexCall C;
  C.Word = va_arg(L, uint32_t *);
  C.Operation = int(va_arg(L, long));
  C.Value = uint32_t(va_arg(L, long));
  C.Timeout = va_arg(L, const timespec *);
  C.Word2 = va_arg(L, long);
  C.Value3 = va_arg(L, long);
  va_end(L);
  if (isShared(C.Word) && !C.isWait() && !C.isWake())
    fail("%s: operation %d of futex(2) on shared memory (%p) is not supported; "
         "there are FUTEX_WAIT and FUTEX_WAKE, or use gdsm_lock",
         nameOf(reinterpret_cast<uintptr_t>(__builtin_return_address(0))).Text,
         C.command(), static_cast<void *>(C.Word));
  if (!TheNode || TheNode->Count == 1 || !C.isWait())
    return syscall(Number, C.Word, C.Operation, C.Value, C.Timeout, C.Word2,
                   C.Value3);
  const int Error = wait(C, __builtin_return_address(0));
  if (!Error)
    return 0;
  errno = Error;
  return -1;
}
