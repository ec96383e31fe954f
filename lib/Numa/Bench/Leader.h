//===- Numa/Bench/Leader.h - Takes samples of a case ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_LEADER_H
#define GRAUPEL_NUMA_BENCH_LEADER_H

#include "Meter.h"

namespace graupel::numa::bench {

/// Takes samples of a case; runs on the first processor that measures, and
/// tells others what to do.
class Leader {
public:
  Leader(Meter &Parent, const Case &C);

  Batch batch(unsigned Count);

private:
  double sample(Batch &B);
  void prepare();
  void act(Step::Action Do);
  double chainTime(const std::function<void()> &Kernel);
  double linesRate(const std::function<void()> &Kernel);
  double rangeRate(size_t Bytes, const std::function<void()> &Kernel);
  double restart(Batch &B);
  double together(const std::function<size_t(unsigned, std::atomic<bool> &)> &);
  double readTogether();
  double storeTogether();
  double underLoad();
  double sweep();
  /// Nanoseconds, without those of looking.
  double time(const std::function<void()> &Kernel);

  Meter &Parent;
  const Case &C;
  Memory &Home;
  Lines Used;  ///< The lines of a chain, in its order.
  char *Range; ///< AloneBytes of it.
  const std::vector<Step> Steps;
  /// Somebody else had the processor while the last kernel was timed.
  bool Interrupted = false;
};

} // namespace graupel::numa::bench

#endif
