//===- Numa/Bench/Case.h - One thing to measure --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_CASE_H
#define GRAUPEL_NUMA_BENCH_CASE_H

#include "States.h"
#include <cstddef>
#include <vector>

namespace graupel::numa::bench {

/// The timed code; names and meanings as (Prestor 2001, 4.3-4.5), and some
/// more.
enum class Kernel {
  Read,        ///< lmbench-read: a chain of loads.
  Rdex,        ///< lmbench-rdex: a chain of loads, a store to each line before.
  RdexSer,     ///< lmbench-rdex-ser: the next address waits for ownership.
  Upgrd,       ///< lmbench-upgrd: Rdex on lines that are here already.
  UpgrdSer,    ///< lmbench-upgrd-ser: RdexSer on such lines.
  Restart,     ///< A chain with more and more work between its loads.
  BwRead,      ///< bw-read: loads that do not wait for each other.
  BwRdsh,      ///< bw-rdsh: the same with prefetches.
  BwRdex,      ///< bw-rdex: stores.
  BwRdexAhead, ///< bw-rdex-ahead: stores after prefetches for ownership.
  BwUpgrd,     ///< bw-upgrd: stores to lines that are here already.
  BwZero,      ///< bw-zero: stores to a range that no cache holds.
  BwZeroPast,  ///< bw-zero-past: the same past the caches.
  BwCopy,      ///< bw-copy: half of a range to the other.
  BwRange,     ///< bw-range: loads of a range, ascending.
  BwmpRead,    ///< bwmp-read: the same by several processors at once.
  BwmpRdex,    ///< bwmp-rdex: stores, each processor to a part of the lines.
  LoadedRead,  ///< lmbench-read while others load a range.
  Load,        ///< The bandwidth of these others meanwhile.
  ReadUse,     ///< s += a[i], over size and stride.
  ReadModifyWrite, ///< a[i] = a[i] * a[i] - c, over size and stride.
};
const char *nameOf(Kernel);
/// Nanoseconds a step, where little is good; 10^6 bytes a second otherwise.
bool isLatency(Kernel);

/// The lines that are referred to.
enum class Place {
  Compact, ///< Few, and they stay in a private cache.
  Wide,    ///< Few, far from each other.
  Range,   ///< All of a range larger than the caches.
};

/// Everything that makes a figure. Processors have the system's numbers, nodes
/// their index.
struct Case {
  Kernel TimedKernel;
  State From = State::None;
  Place At = Place::Compact;
  unsigned Home = 0;
  /// The processors that measure: one, or several at once.
  std::vector<unsigned> Local = {};
  /// Owner or sharers; processors that make load.
  std::vector<unsigned> Remote = {};
  size_t Bytes = 0, Stride = 0; ///< For sweeps.
  unsigned Pause = 0; ///< Load: time that others wait after each 4 KiB.

  bool operator==(const Case &) const = default;
};

} // namespace graupel::numa::bench

#endif
