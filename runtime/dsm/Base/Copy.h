//===- Copy.h - Data and sentinels in blocks that others read ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sentinel check reads 4, 8 or 16 bytes of a block at any time, also while
// they change. The value must be old or new as a whole, so everything that goes
// into blocks goes in aligned stores of 16 bytes, each of which x86-64
// processors with AVX (and in practice all) make visible at once; memcpy
// promises nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_COPY_H
#define GRAUPEL_DSM_BASE_COPY_H

#include "graupel/dsm_checks.h"
#include <cstddef>
#include <cstdint>
#include <emmintrin.h>

namespace graupel::dsm {

/// Both: `To` and `Bytes` are multiples of 32.
inline void copyToBlocks(void *To, const void *From, size_t Bytes) {
  auto *Out = static_cast<__m128i *>(To);
  auto *In = static_cast<const __m128i *>(From);
  for (size_t I = 0; I != Bytes / 16; I += 2) {
    __m128i A = _mm_loadu_si128(In + I), B = _mm_loadu_si128(In + I + 1);
    _mm_store_si128(Out + I, A);
    _mm_store_si128(Out + I + 1, B);
    asm volatile("" ::: "memory"); // Keep the compiler from calling memcpy.
  }
}

inline void fillWithSentinel(void *To, size_t Bytes) {
  auto *Out = static_cast<__m128i *>(To);
  __m128i Sentinel = _mm_set1_epi32(static_cast<int>(GRAUPEL_DSM_SENTINEL));
  for (size_t I = 0; I != Bytes / 16; I += 2) {
    _mm_store_si128(Out + I, Sentinel);
    _mm_store_si128(Out + I + 1, Sentinel);
    asm volatile("" ::: "memory");
  }
}

/// Where the first of `Bytes` bytes, 4 of them at a time, is something else;
/// `Bytes` if none is.
inline size_t findNoSentinel(const void *At, size_t Bytes) {
  auto *Words = static_cast<const uint32_t *>(At);
  size_t I = 0;
  while (I != Bytes / 4 && Words[I] == GRAUPEL_DSM_SENTINEL)
    ++I;
  return I * 4;
}

} // namespace graupel::dsm

#endif
