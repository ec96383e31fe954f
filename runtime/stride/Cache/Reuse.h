//===- Cache/Reuse.h - Reuse distances of lines -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reuse distances: different lines referred to since the last reference to the
// same one, for a sample of the lines (spatial sampling: a line is seen always
// or never). Times of the lines' last references are marked in a tree of sums,
// so that those after one are counted in a few steps.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_REUSE_H
#define GRAUPEL_STRIDE_CACHE_REUSE_H

#include "Base/System.h"
#include "graupel/stride_caches.h"

namespace graupel::stride {

/// Not thread-safe.
class Reuse {
public:
  /// One of 2^Shift lines is sampled.
  explicit Reuse(unsigned Shift);

  bool isSampled(uint64_t Block) const { return isSampledLine(Block, Shift); }
  /// A sampled line's number, from 1; new ones have none.
  uint32_t numberOf(uint64_t Block) const;
  /// Takes in a line that has no number.
  uint32_t add(uint64_t Block);
  /// Sampled lines that were referred to since the last reference to this one.
  uint32_t distance(uint32_t Number) {
    if (Times[Number] == Now - 1)
      return 0;
    return move(Number);
  }
  /// A distance's bin in CacheCounts::Reuse.
  static unsigned bin(uint32_t Distance) {
    unsigned Bin = Distance ? 32 - __builtin_clz(Distance) : 0;
    return Bin < ReuseBins ? Bin : ReuseBins - 1;
  }

private:
  uint32_t move(uint32_t Number);
  void mark(uint32_t Time, uint32_t Change);
  void renumber();

  struct Known {
    uint32_t Number;
  };
  const unsigned Shift;
  Table<Known> Numbers;
  Array<uint32_t> Times; ///< By number.
  uint32_t Count = 0;    ///< Number of lines.
  uint32_t Now = 1, Size = 0;
  uint32_t *Sums = nullptr;   ///< From 1: a Fenwick tree over times.
  uint32_t *Owners = nullptr; ///< By time: the number of a line.
};

} // namespace graupel::stride

#endif
