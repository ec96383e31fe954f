//===- stride/Pending.h - References that wait -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// References of a stream are collected and then counted sixteen at once, lag by
// lag: the addresses in front of them are their predecessors.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_PENDING_H
#define GRAUPEL_STRIDE_PENDING_H

#include "Histogram.h"

namespace graupel::stride {

/// Memory of a stream, about 2 KiB.
struct Pending {
  static constexpr uint32_t Size = 128, Block = 16;
  /// The last ones of those that are counted; oldest first.
  alignas(64) uint64_t Earlier[sizeof(Eight) / sizeof(uint64_t)];
  uint64_t Address[Size + Block];
  Share *Hists[Size + Block];
};

/// Whether references may wait at all, once a stream has its history.
inline bool canWait(const Counting &C) {
  return C.MaxLag <= TupleLags && C.PassAbove < INT32_MAX;
}

/// Counts the waiting references, as if one by one in their order. The stream
/// must be full.
void countPending(const Counting &C, Stream &S, DirtyShares &Dirty);

} // namespace graupel::stride

#endif
