//===- Comparison.h - Changes in a block while it was away ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A miss of a block that the node had before is true sharing if somebody
// changed bytes of the access that misses, and false sharing if only others
// changed. The bytes of an access are what its check asked for: of a strip of a
// loop, all that the strip will touch. Knows nothing of nodes and threads.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_COMPARISON_H
#define GRAUPEL_DSM_TRACE_COMPARISON_H

#include "graupel/dsm_checks.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace graupel::dsm::trace {

/// Why an access needed the runtime; written by these names (causeName).
enum class Cause : uint8_t {
  Cold,         ///< The node never had the block.
  TrueSharing,  ///< It had, and bytes of the access were changed since.
  FalseSharing, ///< ... other bytes of the block were.
  Unchanged,    ///< ... and nothing was.
  NotCompared,  ///< ... and its old contents were not kept.
  Upgrade,      ///< A store to a block that the node may read, as others may.
  FalseMatch,   ///< None: the data are valid and look like the sentinel.
  AlreadyValid, ///< None: the page's summary refused, or another thread was
                ///< first.
  Count
};
const char *causeName(Cause);

/// Calls Visit(Offset, End) for the part of each range that lies in the block.
template <class F>
void forEachPart(uintptr_t Block, uint32_t Size,
                 const graupel_dsm_range *Ranges, uint64_t Count, F Visit) {
  for (uint64_t I = 0; I != Count; ++I) {
    auto Start = reinterpret_cast<uintptr_t>(Ranges[I].start);
    uintptr_t Bytes = Ranges[I].size_and_store >> 1;
    uintptr_t End = Bytes > ~Start ? ~uintptr_t(0) : Start + Bytes;
    Start = std::max(Start, Block);
    End = std::min(End, Block + Size);
    if (Start < End)
      Visit(Start - Block, End - Block);
  }
}

struct Comparison {
  Cause Why; ///< TrueSharing, FalseSharing or Unchanged.
  /// For false sharing: the largest block size, a power of two from 32 bytes,
  /// that would have kept the change out of the access's block. 0: none would.
  uint32_t ApartAt;
};

/// Compares the old and the new contents of the block of `Size` bytes at
/// `Block` for an access to the ranges.
Comparison compare(const void *Old, const void *New, uintptr_t Block,
                   uint32_t Size, const graupel_dsm_range *Ranges,
                   uint64_t Count);

} // namespace graupel::dsm::trace

#endif
