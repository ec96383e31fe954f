//===- Numa/Bench/Statistics.h - Stability of samples --------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine is shared, and virtual processors move: a figure is worth something
// only if it comes again. Samples are taken in passes over everything there is
// to measure, so that those of a figure are spread over the whole run; the best
// of all (least latency, most bandwidth) is what others have disturbed least,
// and comes again more reliably than any average on a machine that is busy. It
// is stable if both halves of the run have found it, and not by chance.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_STATISTICS_H
#define GRAUPEL_NUMA_BENCH_STATISTICS_H

#include <string>
#include <vector>

namespace graupel::numa::bench {

/// Quantile of at least one value, in any order; interpolates between values.
double quantile(std::vector<double> Values, double Share);

struct Summary {
  double Least, Most, Median, Average, Deviation;
};
Summary summarize(const std::vector<double> &Values);

/// All samples of one figure.
struct Samples {
  std::vector<double> All;
  std::vector<double> Bests; ///< One of each pass, in their order.
  /// Nanoseconds that the pair of processors was apart then; 0: there is none.
  std::vector<double> Apart;
};

/// Two values of a pair are of different classes: nearer than this they may be
/// noise.
bool differs(double A, double B);

/// Whether each pass found the processors as far apart as most passes did.
std::vector<bool> commonest(const std::vector<double> &Apart);

struct Verdict {
  double Value;
  bool Stable;
  std::string Why; ///< Why it is not; empty if it is.
};

/// Passes without which nothing is called stable.
constexpr size_t LeastPasses = 6;
/// Passes near the best: a third of all, and so many.
constexpr long LeastNear = 4;
/// Tolerated difference of a stable value from itself another time.
constexpr double Tolerance = 0.05;
/// Passes of which that many at least are in the commonest class.
constexpr double LeastShare = 0.75;

/// Whether what two stable figures differ by comes again, too: each is off by
/// half of Tolerance, at worst in opposite directions.
bool differenceIsStable(double A, double B);

/// At least one best is needed. Only passes of the commonest class count.
Verdict judge(const Samples &S, bool LeastIsBest);

} // namespace graupel::numa::bench

#endif
