//===- Cache/Random.h - Random numbers for replacement ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_RANDOM_H
#define GRAUPEL_STRIDE_CACHE_RANDOM_H

#include <cstdint>

namespace graupel::stride {

/// xorshift64* from a fixed seed: a run can be repeated.
class Random {
public:
  /// Less than `Bound`.
  uint32_t below(uint32_t Bound) {
    State ^= State >> 12;
    State ^= State << 25;
    State ^= State >> 27;
    uint64_t Value = State * 0x2545f4914f6cdd1d >> 32;
    return static_cast<uint32_t>(Value * Bound >> 32);
  }

private:
  uint64_t State = 0x9e3779b97f4a7c15;
};

} // namespace graupel::stride

#endif
