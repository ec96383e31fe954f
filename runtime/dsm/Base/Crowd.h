//===- Crowd.h - Whether others want the processors -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A waiting thread keeps its processor for a moment, because being woken takes
// longer than most waits. Where processors are few, that moment is taken from
// the thread it waits for, and makes it get the next one later: the kernel runs
// those soon that have had little. They are few if the job alone has more
// threads, which is known, or if giving way turned out to take long; then for a
// while.
// Giving way is how that is noticed, and not how to wait: the kernel takes a
// whole slice from who yields, and nothing from who sleeps.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_CROWD_H
#define GRAUPEL_DSM_BASE_CROWD_H

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <time.h>

namespace graupel::dsm {

inline uint64_t nanosecondsOf(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(T.tv_nsec);
}

inline uint64_t monotonicNanoseconds() {
  return nanosecondsOf(CLOCK_MONOTONIC);
}

class Crowd {
public:
  /// `Flag` is 1 while processors are few; it stays so until somebody asks.
  /// `Always`: the job has more threads on this host than there are processors.
  void attach(std::atomic<uint8_t> &Flag, bool Always) {
    Now = &Flag;
    Oversubscribed = Always;
    Now->store(Always, std::memory_order_relaxed);
  }
  bool isOversubscribed() const { return Oversubscribed; }

  bool isHere() const {
    if (!Now->load(std::memory_order_relaxed)) [[likely]]
      return false;
    if (Oversubscribed ||
        monotonicNanoseconds() < Until.load(std::memory_order_relaxed))
      return true;
    Now->store(false, std::memory_order_relaxed);
    return false;
  }

  /// Gives the processor away once; notices if somebody else wanted it. Returns
  /// the time after it.
  uint64_t giveWay() const {
    uint64_t Before = monotonicNanoseconds();
    sched_yield();
    uint64_t After = monotonicNanoseconds();
    if (After - Before > GivenWayNanoseconds) {
      Until.store(After + LastsNanoseconds, std::memory_order_relaxed);
      Now->store(true, std::memory_order_relaxed);
    }
    return After;
  }

  /// Number of looks before sleeping, for events that take microseconds.
  unsigned spins() const { return isHere() ? 50 : 2000; }

private:
  static constexpr uint64_t GivenWayNanoseconds = 20'000,
                            LastsNanoseconds = 100'000'000;

  bool Oversubscribed = false;
  std::atomic<uint8_t> *Now = nullptr;
  mutable std::atomic<uint64_t> Until{0};
};

} // namespace graupel::dsm

#endif
