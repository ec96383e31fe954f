//===- Numa/Plan/Threads.h - Threads get nodes ---------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_THREADS_H
#define GRAUPEL_NUMA_PLAN_THREADS_H

#include "Numa/Topology/Topology.h"
#include "Traffic.h"

namespace graupel::numa {

/// Distance of the memory of node `To` from processors of `From`, relative to a
/// node's own memory: measured, or reported by firmware.
double distanceOf(const Topology &T, unsigned From, unsigned To);

/// An index of a node for each thread. No node gets more than its processors'
/// share of the threads that do anything; within that, threads that share pages
/// are near each other. Equal choices: the lower thread on the lower node.
std::vector<unsigned> placeThreads(const Topology &T, const Traffic &Observed);

} // namespace graupel::numa

#endif
