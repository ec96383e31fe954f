//===- Numa/Bench/Session.h - Measures a plan ----------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_SESSION_H
#define GRAUPEL_NUMA_BENCH_SESSION_H

#include "Calibration.h"
#include "Plan.h"
#include "Statistics.h"

namespace graupel::numa::bench {

/// The results of a case.
struct Record {
  Samples Seen;
  unsigned Moved = 0;     ///< Passes in which its processors moved each time.
  unsigned Disturbed = 0; ///< Passes in which others always interrupted.
  unsigned Unsettled = 0; ///< Passes without a settled restart latency.
  double Seconds = 0;     ///< The duration of the longest batch.
};

/// Measures all cases in passes, so that each figure's samples are spread over
/// the whole run, until time is up.
class Session {
public:
  Session(Plan &P, Meter &M) : P(P), M(M), Pairs(M) {}

  /// About so many seconds; the first pass may take a quarter more, so that a
  /// busy machine leaves no gaps.
  void run(double Seconds);

  /// After run().
  std::vector<FilledTable> tables() const;
  Verdict verdict(size_t Case) const;
  const std::vector<Record> &records() const { return Records; }
  const Calibration &calibration() const { return Pairs; }
  unsigned passes() const { return Passes; }
  /// The shares of other guests and of other programs in the time of all
  /// processors, in per cent.
  double stolenPercent() const;
  double othersPercent() const;
  double seconds() const { return Elapsed; }

private:
  /// False if time is up.
  bool pass(unsigned Count, double Until);
  void measure(size_t Case, unsigned Count);
  Entry fill(const Cell &C, std::string &Why) const;
  /// A state that is to be far is as near as the own cache.
  bool looksCached(const Case &C, double Value) const;

  Plan &P;
  Meter &M;
  Calibration Pairs;
  std::vector<Record> Records;
  unsigned Passes = 0;
  /// A dear case is measured in one pass of so many.
  unsigned DearEach = 1;
  double Elapsed = 0;
  Usage Before, After;
};

} // namespace graupel::numa::bench

#endif
