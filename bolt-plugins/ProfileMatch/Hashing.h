//===- ProfileMatch/Hashing.h - Hashes that stay the same -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These are written into files, so they must not change with the version of
// LLVM as those of llvm/ADT/Hashing.h may.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_HASHING_H
#define GRAUPEL_PROFILEMATCH_HASHING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

namespace graupel {

inline uint64_t hashOf(llvm::StringRef Text) {
  return llvm::xxh3_64bits(
      llvm::ArrayRef(Text.bytes_begin(), Text.bytes_end()));
}

/// Spreads every bit of \p Value over all bits.
inline uint64_t mix(uint64_t Value) {
  Value = (Value ^ Value >> 32) * 0x9e3779b97f4a7c15;
  Value = (Value ^ Value >> 29) * 0xbf58476d1ce4e5b9;
  return Value ^ Value >> 32;
}

/// A hash of \p Value after what made \p Seed.
inline uint64_t mix(uint64_t Seed, uint64_t Value) {
  return mix(Seed + 0x9e3779b97f4a7c15 + mix(Value));
}

inline uint32_t fold(uint64_t Hash) { return mix(Hash) >> 32; }

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_HASHING_H
