//===- numa/Machine.h - The machine, and messages of calls ---- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_RUNTIME_MACHINE_H
#define GRAUPEL_NUMA_RUNTIME_MACHINE_H

#include "Kernel.h"
#include "Numa/Topology/Topology.h"
#include "graupel/numa.h"

namespace graupel::numa {

/// The machine that functions of the library work with; made on first use.
struct Machine {
  Topology T;
  /// The machine that runs has one node, or another one was described: wishes
  /// are recorded, not passed on.
  bool Trivial = false;
  bool Described = false; ///< It is not the running machine.
  /// Nodes by the system's numbers.
  Nodes All = 0, WithMemory = 0, WithProcessors = 0;

  std::vector<unsigned> idsOf(Nodes Mask) const;
  /// By index: free bytes, now or as the description says. Empty if unknown.
  std::vector<uint64_t> freeBytes() const;
  bool has(int Node) const {
    return Node >= 0 && Node < 64 && (All >> Node & 1);
  }
};

const Machine &machine();

/// Remembers a sentence for graupel_numa_message; returns `Result`.
int say(int Result, std::string Sentence);
/// The same for -errno, with the system's description of the error.
int sayError(int Error, const std::string &Message);

/// The result of a placement that was carried out.
inline int placed() {
  return machine().Trivial ? GRAUPEL_NUMA_TRIVIAL : GRAUPEL_NUMA_PLACED;
}

} // namespace graupel::numa

#endif
