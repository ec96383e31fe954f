//===- Stride/Record/Sampling.h - From bursts to estimates ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sampled record has counts of what was in bursts. Each part of a thread's
// time is scaled to all references that the thread made in it. Parts of most of
// the time are in groups, whose differences are the uncertainty (random groups,
// as in Wolter 2007, Introduction to Variance Estimation).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_RECORD_SAMPLING_H
#define GRAUPEL_STRIDE_RECORD_SAMPLING_H

#include "Streams.h"
#include <optional>

namespace graupel::stride {

/// Makes estimates of a record's counts; does nothing if all was recorded.
/// False if the record contradicts itself.
bool estimate(Record &R);

/// Sums over all parts.
struct Sampled {
  uint64_t Burst = 0, Every = 0, Bursts = 0, InBursts = 0, References = 0;
  double percent() const {
    return References ? 100.0 * double(InBursts) / double(References) : 0.0;
  }
};
std::optional<Sampled> sampledPart(const Record &R);

/// Half the 95 % confidence interval of percentages, in points. Without a value
/// if there were too few bursts, or if all was recorded.
class Uncertainty {
public:
  explicit Uncertainty(const Record &R);
  /// For the share of the histograms in all references.
  std::optional<double> ofShare(const Histograms &H) const;
  /// For the share of a bin in the histograms.
  std::optional<double> ofBin(const Histograms &H, unsigned Lag,
                              unsigned Bin) const;

private:
  std::vector<double> All; ///< References by group.
};

} // namespace graupel::stride

#endif
