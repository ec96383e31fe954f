//===- Stride/Analysis/Pattern.h - Patterns of references -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_ANALYSIS_PATTERN_H
#define GRAUPEL_STRIDE_ANALYSIS_PATTERN_H

#include "Stride/Record/Record.h"

namespace graupel::stride {

/// Bytes of a line of caches, for estimates.
inline constexpr unsigned LineBytes = 64;

/// References sorted by the first of the last MAXEL distances that is at most
/// the threshold (variant filtered, whatever is shown). They add up.
struct Pattern {
  uint64_t References = 0;
  uint64_t First = 0; ///< Before them the stream had none to compare with.
  uint64_t Same = 0;  ///< Distance 0.
  uint64_t Unit = 0;  ///< One element, or what one reference covers.
  /// Another distance that repeats itself: up to the threshold; or beyond, of a
  /// counted loop that advances by a constant, or where nine of ten of a line
  /// have their distance in one bin that has an end.
  uint64_t Constant = 0;
  uint64_t Irregular = 0;

  uint64_t Far = 0; ///< References with distances above the threshold.
  uint64_t Lag1[Bins - ExactBins] = {}; ///< From 128 bytes on, by bin.
  /// Estimates without a cache: lines that are entered, and bytes referred to.
  double Lines = 0, Bytes = 0;
  /// Sums over distances between 1 element and the threshold.
  double NearDistance = 0, NearBytes = 0;
  uint64_t Near[ExactBins] = {}; ///< These distances, by bytes.

  void add(const Pattern &);
  double share(uint64_t Part) const {
    return References ? double(Part) / double(References) : 0;
  }
};

/// The pattern of one share. `Step` is the stride of the site in its counted
/// loop, null if it is in none; 0 bytes if that is not known.
Pattern patternOf(const ShareCounts &S, const Site &Where, uint64_t Threshold,
                  bool PassEqual, const int64_t *Step);

} // namespace graupel::stride

#endif
