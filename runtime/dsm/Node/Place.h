//===- Place.h - Sharing of processors with other nodes ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_PLACE_H
#define GRAUPEL_DSM_NODE_PLACE_H

#include "Transport/Bootstrap.h"

namespace graupel::dsm {

struct Place {
  bool Oversubscribed; ///< The job has more threads here than processors.
  double StartTime;    ///< The same on all nodes of the host; monotonic clock.
};

/// Collective.
Place findPlace(Bootstrap &, int ThreadsPerNode);

} // namespace graupel::dsm

#endif
