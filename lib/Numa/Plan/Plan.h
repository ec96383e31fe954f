//===- Numa/Plan/Plan.h - Threads and data on nodes ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads get nodes first, then data, most traffic first: memory that is there
// before congestion, congestion before distance, and of equals the plainest.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_PLAN_H
#define GRAUPEL_NUMA_PLAN_PLAN_H

#include "Choice.h"

namespace graupel::numa {

/// From that phase on data are placed so.
struct PlannedChange {
  unsigned Phase;
  Choice Placement;
};

struct PlannedData {
  unsigned Object; ///< Its number in the traffic.
  Choice Placement;
  std::vector<PlannedChange> Changes;
  double Bytes = 0;
  double RemoteBefore = 0, RemoteAfter = 0; ///< Bytes; before: first touch.
  std::string Why;                          ///< A sentence.
  std::vector<std::string> WhyNot;          ///< Sentences; the next best.
};

struct Plan {
  std::vector<unsigned> ThreadNodes; ///< Index of a node for each thread.
  std::vector<PlannedData> Data;     ///< Most traffic first.
  Outcome Before, After;             ///< All together.
  double Bytes = 0;
  std::vector<double> Limits; ///< Bytes that a node can serve, by index.
  std::vector<std::string> Notes;
};

/// Memory for data on each node, by index: the free memory if known, or all;
/// infinite if its size is unknown.
std::vector<double> capacitiesOf(const Topology &T);

/// `Capacities` as capacitiesOf. `KeepThreads`: nodes of threads that are not
/// to be placed anew, or none.
Plan makePlan(const Topology &T, const Traffic &Observed,
              const std::vector<double> &Capacities,
              const std::vector<unsigned> &KeepThreads = {});

/// The plan as a placement file, with reasons as comments.
std::string placementText(const Topology &T, const Traffic &Observed,
                          const Plan &P);

} // namespace graupel::numa

#endif
