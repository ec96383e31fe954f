//===- Ranges.h - Ranges of checked code against the tags -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Used by the entries' first look, too, which runs while the program's vector
// registers are live: nothing here may use them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_RANGES_H
#define GRAUPEL_DSM_NODE_RANGES_H

#include "Memory/TagTable.h"

namespace graupel::dsm {

inline bool isStore(const graupel_dsm_range &R) { return R.size_and_store & 1; }

/// A range of code's set.
inline graupel_dsm_range rangeOf(const uint64_t *Words,
                                 const graupel_dsm_set &Set, uint32_t Index) {
  const graupel_dsm_described *Described = Set.ranges;
  Described += Index;
  uint64_t SizeAndStore = Described->size_and_store;
  if (Described->per_unit)
    SizeAndStore += Words[Described->unit] * Described->per_unit;
  return {reinterpret_cast<const void *>(Words[Index]), SizeAndStore};
}

/// The part of a range that lies in the region; empty if none does. Ranges may
/// be anywhere, and may be wrong.
struct Part {
  uintptr_t Start, End;
  Part(const graupel_dsm_range &R, uintptr_t RegionStart) {
    uintptr_t A = reinterpret_cast<uintptr_t>(R.start), B;
    if (__builtin_add_overflow(A, R.size_and_store >> 1, &B))
      B = ~uintptr_t(0);
    uintptr_t RegionEnd = RegionStart + RegionBytes;
    Start = A < RegionStart ? RegionStart : A;
    End = B > RegionEnd ? RegionEnd : B;
  }
};

inline uintptr_t firstRefused(const TagTable &Tags, uintptr_t RegionStart,
                              const graupel_dsm_range &R) {
  Part P(R, RegionStart);
  return Tags.firstRefused(P.Start, P.End, isStore(R));
}

/// Whether a range of the region has bytes in [Start, End), which has, too.
inline bool overlaps(const graupel_dsm_range &R, uintptr_t Start,
                     uintptr_t End) {
  uintptr_t A = reinterpret_cast<uintptr_t>(R.start);
  uint64_t Size = R.size_and_store >> 1;
  return Size && A < End && Start < A + Size;
}

} // namespace graupel::dsm

#endif
