//===- Report/ShareBins.h - Cumulative shares -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a weight below 2, 4, 8, ...: the form of the figures that
// characterize a program.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_REPORT_SHAREBINS_H
#define GRAUPEL_REPORT_SHAREBINS_H

#include <cstdint>
#include <map>
#include <vector>

namespace graupel {

struct ShareBin {
  /// The end of the bin; 0 if it has none.
  uint64_t Bound = 0;
  uint64_t Items = 0;
  uint64_t Weight = 0;
  /// Percentages of the weight of all bins; both 0 if there is no weight.
  double Percent = 0;
  double CumulativePercent = 0;
};

/// Sorts weighted values into bins bounded by powers of two.
class ShareBins {
public:
  enum class End {
    Open,   ///< A bin holds values below its bound: <2, <4, <8, ...
    Closed, ///< A bin holds values up to its bound: 1, 2, 4, ...
  };

  /// The first bin ends at \p First, each next at twice that of the one before,
  /// and the last bin with a bound at \p Last; what is beyond goes into a bin
  /// without a bound.
  ShareBins(End Ends, uint64_t First, uint64_t Last = uint64_t(1) << 62)
      : Ends(Ends), First(First), Last(Last) {}

  void add(double Value, uint64_t Weight);

  /// All bins from the first to the last that is not empty.
  std::vector<ShareBin> bins() const;

private:
  End Ends;
  uint64_t First, Last;
  struct Content {
    uint64_t Items = 0;
    uint64_t Weight = 0;
  };
  /// By the bin's number.
  std::map<unsigned, Content> Contents;

  unsigned numberOfBounds() const;
};

/// \p Part of \p Whole; 0 if there is nothing.
inline double percent(uint64_t Part, uint64_t Whole) {
  return Whole ? 100.0 * static_cast<double>(Part) / static_cast<double>(Whole)
               : 0.0;
}

} // namespace graupel

#endif // GRAUPEL_REPORT_SHAREBINS_H
