//===- Numa/Bench/Machine.h - The measurable part of a machine  -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_MACHINE_H
#define GRAUPEL_NUMA_BENCH_MACHINE_H

#include "Numa/Topology/Topology.h"

namespace graupel::numa::bench {

/// A node and the processors on it that may be used.
struct NodeView {
  unsigned Id; ///< The system's number.
  /// The system's numbers; one of each core, near ones first. None if the node
  /// is memory only.
  std::vector<unsigned> Processors;
  uint64_t FreeBytes = 0;
};

/// The part of a machine that is measured.
struct Machine {
  std::vector<NodeView> Nodes;
  /// Steps between nodes, by their index here; 0 to itself.
  std::vector<std::vector<unsigned>> Steps;
  size_t PrivateBytes = 0; ///< The largest cache of one core.
  size_t SharedBytes = 0;  ///< The last cache, of one processor.
  size_t LastCaches = 1;   ///< Number of these in the fullest node.
  std::string Model, Kernel, Host;
  bool Guest = false; ///< A virtual machine.

  std::vector<unsigned> processors() const;
  /// Nodes by their index, nearest first.
  std::vector<unsigned> byDistance(unsigned From) const;
  unsigned mostSteps() const;
};

/// The wanted part of a machine. Empty: all.
struct Choice {
  std::vector<unsigned> Nodes, Processors; ///< The system's numbers.
};

/// Finds the chosen part of what the process may use of this machine. Returns
/// an error, or nothing.
std::optional<std::string> view(const Topology &T, const Choice &, Machine &);

/// Where the time of all processors went, in ticks of the system.
struct Usage {
  uint64_t All = 0;
  uint64_t Stolen = 0; ///< By other guests, from virtual processors.
  uint64_t Busy = 0;   ///< With programs, this one too.
  uint64_t Own = 0;    ///< With this program.
};
Usage usage();

} // namespace graupel::numa::bench

#endif
