//===- Numa/Bench/Meter.h - Measures a case ------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_METER_H
#define GRAUPEL_NUMA_BENCH_METER_H

#include "Case.h"
#include "Crew.h"
#include "Machine.h"
#include "Memory.h"
#include "Restart.h"

namespace graupel::numa::bench {

/// The sizes of the measured memory of each node.
Sizes sizesFor(const Machine &M);

/// The results of a case in one go.
struct Batch {
  std::vector<double> Values; ///< Nanoseconds a step, or 10^6 bytes a second.
  /// Others had the measuring processor each time.
  bool Disturbed = false;
  /// Restart only: it became constant.
  bool Settled = true;
};

/// Has threads and memory, brings lines into states, times kernels. Not for
/// several threads.
class Meter {
public:
  explicit Meter(const Machine &M);

  /// Makes threads on all processors and memory on all nodes; once. Returns an
  /// error, or nothing.
  std::optional<std::string> start();

  /// At most `Count` samples.
  Batch measure(const Case &C, unsigned Count);
  /// Nanoseconds for a line that `Owner` has modified to reach `Reader`, who
  /// waits for each before it asks for the next. The least of a few.
  double transfer(unsigned Reader, unsigned Owner);

  const Memory &memory(unsigned Node) const { return *Memories[Node]; }
  const Sizes &sizes() const { return Each; }
  bool writesCode() const { return CanWriteCode; }

private:
  friend class Leader;

  const Machine &M;
  Sizes Each;
  std::vector<std::unique_ptr<Memory>> Memories;
  std::vector<std::unique_ptr<WorkKernel>> Work; ///< By additions.
  size_t WidePart = 0, RangePart = 0;            ///< The next ones.
  bool CanWriteCode = true;
  double ClockCost = 0; ///< Nanoseconds to look at the clock.
  Crew Threads;         ///< Ends first.
};

} // namespace graupel::numa::bench

#endif
