//===- Numa/Bench/Session.h - Measures a plan ------------------ -*- C++ -*-===//
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

/// What was found out of a case.
struct Record {
  Samples Seen;
  unsigned Moved = 0;     ///< Passes in which its processors moved each time.
  unsigned Disturbed = 0; ///< In which others had the processor each time.
  unsigned Unsettled = 0; ///< In which the restart latency did not.
  /// The least and most its pair was apart, nanoseconds; 0 without one.
  double Nearest = 0, Farthest = 0;
  double Seconds = 0; ///< Of the dearest batch.
};

/// Measures all cases in passes, so that each figure's samples are spread over
/// the whole run, until time is up.
class Session {
public:
  Session(Plan &P, Meter &M) : P(P), M(M), Pairs(M) {}

  /// About so many seconds, but each case once at least if twice that is
  /// enough.
  void run(double Seconds);

  /// After run().
  std::vector<FilledTable> tables() const;
  Verdict verdict(size_t Case) const;
  const std::vector<Record> &records() const { return Records; }
  const Calibration &calibration() const { return Pairs; }
  unsigned passes() const { return Passes; }
  /// Of all processors, in per cent.
  double stolenPercent() const;
  double seconds() const { return Elapsed; }

private:
  /// False if time is up.
  bool pass(unsigned Count, double Until);
  void measure(size_t Case, unsigned Count);
  Entry fill(const Cell &C, std::string &Why) const;

  Plan &P;
  Meter &M;
  Calibration Pairs;
  std::vector<Record> Records;
  unsigned Passes = 0;
  double Elapsed = 0;
  Stolen Before, After;
};

} // namespace graupel::numa::bench

#endif
