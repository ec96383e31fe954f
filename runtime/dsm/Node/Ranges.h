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

#include "Base/SharedAddresses.h"
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

/// Ranges may be anywhere, and may be wrong.
inline uintptr_t endOf(const graupel_dsm_range &R) {
  uintptr_t End;
  if (__builtin_add_overflow(reinterpret_cast<uintptr_t>(R.start),
                             R.size_and_store >> 1, &End))
    End = ~uintptr_t(0);
  return End;
}

/// The first address in [A, End) that is shared and refused, or NoAddress.
inline uintptr_t firstRefused(const TagTable &Tags,
                              const SharedAddresses &Shared, uintptr_t A,
                              uintptr_t End, bool Store) {
  while (A < End) {
    Run Next = Shared.behind(A);
    if (Next.Start >= End)
      break;
    uintptr_t Refused =
        Tags.firstRefused(Next.Start < A ? A : Next.Start,
                          Next.End < End ? Next.End : End, Store);
    if (Refused != NoAddress)
      return Refused;
    A = Next.End;
  }
  return NoAddress;
}

inline uintptr_t firstRefused(const TagTable &Tags,
                              const SharedAddresses &Shared,
                              const graupel_dsm_range &R) {
  return firstRefused(Tags, Shared, reinterpret_cast<uintptr_t>(R.start),
                      endOf(R), isStore(R));
}

/// Whether a shared range has bytes in [Start, End), which has, too.
inline bool overlaps(const graupel_dsm_range &R, uintptr_t Start,
                     uintptr_t End) {
  uintptr_t A = reinterpret_cast<uintptr_t>(R.start);
  uint64_t Size = R.size_and_store >> 1;
  return Size && A < End && Start < A + Size;
}

} // namespace graupel::dsm

#endif
