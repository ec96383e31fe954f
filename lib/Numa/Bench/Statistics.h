//===- Numa/Bench/Statistics.h - What samples are worth -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine is shared, and virtual processors move: a figure is worth something
// only if it comes again. Samples are taken in passes over everything there is
// to measure, so that those of a figure are spread over the whole run; the best
// of each pass (least latency, most bandwidth) is what others have disturbed
// least. The value is the median of the passes' bests.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_STATISTICS_H
#define GRAUPEL_NUMA_BENCH_STATISTICS_H

#include <string>
#include <vector>

namespace graupel::numa::bench {

/// Of values in any order, at least one; between two of them what lies there.
double quantile(std::vector<double> Values, double Share);

struct Summary {
  double Least, Most, Median, Average, Deviation;
};
Summary summarize(const std::vector<double> &Values);

/// All samples of one figure.
struct Samples {
  std::vector<double> All;
  std::vector<double> Bests; ///< One of each pass, in their order.
};

struct Verdict {
  double Value;
  bool Stable;
  std::string Why; ///< Why it is not; empty if it is.
};

/// Passes without which nothing is called stable.
constexpr size_t LeastPasses = 4;
/// How far a stable value may be from itself another time.
constexpr double Tolerance = 0.05;

/// At least one best is needed.
Verdict judge(const Samples &S);

} // namespace graupel::numa::bench

#endif
