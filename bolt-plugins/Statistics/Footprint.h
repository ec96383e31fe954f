//===- Statistics/Footprint.h - Memory that code touches --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GRAUPEL_STATISTICS_FOOTPRINT_H
#define GRAUPEL_STATISTICS_FOOTPRINT_H

#include <cstdint>
#include <utility>
#include <vector>

namespace graupel {

/// A set of address ranges, and how many cache lines or pages it touches.
class Footprint {
public:
  /// Adds the bytes from \p Begin to before \p End; nothing if there are none.
  void add(uint64_t Begin, uint64_t End) {
    if (Begin < End)
      Ranges.push_back({Begin, End});
  }

  /// Sum of the sizes; code that is in two ranges counts twice.
  uint64_t bytes() const;

  /// The number of aligned units of \p Size bytes, a power of two, that hold at
  /// least one byte of a range.
  uint64_t units(uint64_t Size) const;

private:
  std::vector<std::pair<uint64_t, uint64_t>> Ranges;
};

} // namespace graupel

#endif // GRAUPEL_STATISTICS_FOOTPRINT_H
