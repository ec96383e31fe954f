//===- Cache/Hints.h - A byte of each line of a set ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To find a line among up to 16 of a set: a byte of each is compared at once.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_HINTS_H
#define GRAUPEL_STRIDE_CACHE_HINTS_H

#include "Base/System.h"
#include <emmintrin.h>

namespace graupel::stride {

/// Not thread-safe.
class Hints {
public:
  static constexpr uint32_t MostWays = 16;

  /// Lines of a set stand side by side, `Ways` of them count.
  Hints(uint64_t Lines, uint32_t Ways)
      : WayMask((1u << Ways) - 1),
        Bytes(static_cast<uint8_t *>(allocate(Lines + MostWays))) {}

  /// A bit for each way of the set from `First` on where the block may be.
  uint32_t matches(uint64_t First, uint64_t Block) const {
    __m128i Equal = _mm_cmpeq_epi8(
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(Bytes + First)),
        _mm_set1_epi8(static_cast<char>(hintOf(Block))));
    return static_cast<uint32_t>(_mm_movemask_epi8(Equal)) & WayMask;
  }
  void put(uint64_t Line, uint64_t Block) { Bytes[Line] = hintOf(Block); }

private:
  /// Not 0, which is empty.
  static uint8_t hintOf(uint64_t Block) {
    return static_cast<uint8_t>(Block * 0x9e3779b97f4a7c15 >> 56 | 1);
  }

  const uint32_t WayMask;
  uint8_t *Bytes;
};

} // namespace graupel::stride

#endif
