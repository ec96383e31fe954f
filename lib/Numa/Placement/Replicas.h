//===- Numa/Placement/Replicas.h - Nodes that get copies ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_REPLICAS_H
#define GRAUPEL_NUMA_REPLICAS_H

#include "Numa/Topology/Topology.h"

namespace graupel::numa {

struct Cover {
  std::vector<unsigned> Holders; ///< Nodes that hold a copy, ascending.
  /// By node of the machine: whose copy it reads, the nearest.
  std::vector<unsigned> ReadsFrom;
};

/// Few nodes so that each of `Readers` has one within `Radius` steps: the one
/// that serves most of those left over, again and again; among equals the
/// lowest number. Readers are not empty. Only nodes with memory hold copies;
/// readers with none of these near enough use the nearest.
Cover coverReaders(const Topology &T, const std::vector<unsigned> &Readers,
                   unsigned Radius);

} // namespace graupel::numa

#endif
