//===- Numa/Bench/Restart.h - Latency until work goes on ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain of misses with k dependent additions after each load: additions that
// fit in beside what the memory is still doing for the last miss cost nothing.
// (Prestor 2001, 4.4)
//
//  1. for k = 0, 1, 2, ...: time a step with k additions on the chain, and on a
//     chain of one line, which stays in the first cache;
//  2. the difference is the restart latency for k;
//  3. stop when a moving average has stayed within a tolerance for long enough;
//  4. the result is the least in that stable window.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_RESTART_H
#define GRAUPEL_NUMA_BENCH_RESTART_H

#include <cstddef>
#include <vector>

namespace graupel::numa::bench {

/// Steps along a chain with `Additions` after each load, written at run time.
class WorkKernel {
public:
  explicit WorkKernel(unsigned Additions);
  ~WorkKernel();
  WorkKernel(const WorkKernel &) = delete;
  WorkKernel &operator=(const WorkKernel &) = delete;

  /// The system may forbid to write code at run time.
  bool works() const { return Code != nullptr; }
  /// Steps: a multiple of Unrolled. Returns where it ends.
  void *run(void *First, size_t Steps) const;

private:
  void *Code = nullptr;
  size_t Bytes = 0;
};

/// (Prestor 2001)'s parameters.
struct RestartRule {
  unsigned Window = 13; ///< Samples of the moving average.
  double Tolerance = 5; ///< Nanoseconds.
  unsigned Run = 19;    ///< Averages that must stay within the tolerance.
  unsigned Most = 64;   ///< Additions.
  /// The average is compared with that at the start of the stable run;
  /// otherwise with the one before, which lets it drift.
  bool FromStart = true;
};

/// Decides, value by value, when it is enough.
class RestartWatch {
public:
  explicit RestartWatch(const RestartRule &Rule) : Rule(Rule) {}
  /// The restart latency for one more addition. True: enough.
  bool add(double Nanoseconds);
  bool settled() const { return Stayed >= Rule.Run; }
  /// The least of the stable window, or, if it did not settle, of the last
  /// values as many.
  double result() const;

private:
  RestartRule Rule;
  std::vector<double> Values;
  bool HasAnchor = false;
  double Anchor = 0;
  unsigned Stayed = 0;
};

} // namespace graupel::numa::bench

#endif
