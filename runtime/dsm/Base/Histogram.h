//===- Histogram.h - Histograms of times ------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four buckets for each doubling: a quantile is known to 19 %. Any thread may
// add at any time. Used by code without vector registers: builtins only.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_HISTOGRAM_H
#define GRAUPEL_DSM_BASE_HISTOGRAM_H

#include <stdint.h>

namespace graupel::dsm::trace {

struct Histogram {
  static constexpr unsigned Buckets = 4 * 44; ///< The last one is open.
  uint32_t Counts[Buckets] = {};

  static unsigned bucket(uint64_t Value) {
    if (Value < 4)
      return static_cast<unsigned>(Value);
    unsigned Log = 63 - static_cast<unsigned>(__builtin_clzll(Value));
    unsigned Index = 4 * (Log - 1) + (Value >> (Log - 2) & 3);
    return Index < Buckets ? Index : Buckets - 1;
  }
  /// The least value of a bucket.
  static uint64_t least(unsigned Bucket) {
    if (Bucket < 4)
      return Bucket;
    return uint64_t(4 + Bucket % 4) << (Bucket / 4 - 1);
  }
  void add(uint64_t Value) {
    __atomic_fetch_add(&Counts[bucket(Value)], 1, __ATOMIC_RELAXED);
  }
};

} // namespace graupel::dsm::trace

#endif
