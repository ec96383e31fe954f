//===- Sample.h - Time until a thread reacts --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sampler (Sampler.h) sets the node's Poll flag at times that have nothing
// to do with what the program does; the first handshake point of a thread after
// it ends the sample. It measures the rest of a poll interval, as a message
// that arrives meets it. Used by code without vector registers.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_SAMPLE_H
#define GRAUPEL_DSM_BASE_SAMPLE_H

#include "Histogram.h"

namespace graupel::dsm::trace {

/// The processor's time stamp. Later made seconds by comparing it with a clock.
inline uint64_t ticks() { return __builtin_ia32_rdtsc(); }

struct PollSample {
  /// When the flag was set; 0 if no sample is out. On a line of its own: all
  /// threads look at it at their handshake points.
  alignas(128) uint64_t Since = 0;
  alignas(128) Histogram Times;

  bool isOut() const { return __atomic_load_n(&Since, __ATOMIC_RELAXED); }
  void set() { __atomic_store_n(&Since, ticks(), __ATOMIC_RELEASE); }
  void end() {
    uint64_t Start = __atomic_exchange_n(&Since, 0, __ATOMIC_ACQ_REL);
    if (Start)
      Times.add(ticks() - Start);
  }
};

extern PollSample TheSample __attribute__((visibility("hidden")));

/// Every handshake point of a thread that was running the program's code.
inline void handshakePoint() {
  if (__builtin_expect(TheSample.isOut(), 0))
    TheSample.end();
}

} // namespace graupel::dsm::trace

#endif
