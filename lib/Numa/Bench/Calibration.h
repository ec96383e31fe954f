//===- Numa/Bench/Calibration.h - Have processors moved? ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Virtual processors move between real ones; a pair that shared a cache does
// not a second later. The distance of a case's pair is therefore measured
// before and after it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_CALIBRATION_H
#define GRAUPEL_NUMA_BENCH_CALIBRATION_H

#include "Meter.h"
#include <chrono>
#include <map>

namespace graupel::numa::bench {

/// Observations of a pair in the whole run.
struct PairRecord {
  double First, Last, Least, Most; ///< Nanoseconds.
  unsigned Times = 0;
  unsigned Changes = 0; ///< Changes of its class between successive times.
  std::chrono::steady_clock::time_point When;
};

class Calibration {
public:
  explicit Calibration(Meter &M) : M(M) {}

  /// Before a case: how far its pairs are apart, unless that was just seen.
  void look(const Case &C);
  /// After it: they are as far apart as before, so what was measured counts.
  /// True also if the case has no pair.
  bool holds(const Case &C);
  /// The current distance of the case's first pair; 0 without a pair.
  double current(const Case &C) const;

  const std::map<std::pair<unsigned, unsigned>, PairRecord> &pairs() const {
    return Pairs;
  }

private:
  /// False if it is of another class than last time.
  bool see(std::pair<unsigned, unsigned> Pair);

  Meter &M;
  std::map<std::pair<unsigned, unsigned>, PairRecord> Pairs;
};

} // namespace graupel::numa::bench

#endif
